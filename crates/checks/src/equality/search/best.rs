//! The most ordinary of many hits, and answers as a matrix, so that triples cost no calls.

use super::{Rank, Search};

/// Hits that are kept; the rest is more of the same.
const KEPT: usize = 48;

/// Keeps the hits of lowest rank, whatever their number.
#[derive(Default)]
pub(super) struct Best {
    hits: Vec<(Rank, Vec<usize>)>,
}

impl Best {
    pub(super) fn offer(&mut self, rank: Rank, at: &[usize]) {
        if self.hits.len() == 16 * KEPT {
            self.prune();
        }
        self.hits.push((rank, at.to_vec()));
    }

    fn prune(&mut self) {
        self.hits.sort();
        self.hits.truncate(KEPT);
    }

    pub(super) fn into_positions(mut self) -> impl Iterator<Item = Vec<usize>> {
        self.prune();
        self.hits.into_iter().map(|(_, at)| at)
    }
}

/// One small answer for each pair of objects, where there is one.
pub(super) struct Matrix {
    n: usize,
    cells: Vec<Option<i8>>,
}

impl Matrix {
    /// Fills the matrix row by row.
    pub(super) fn fill(n: usize, mut cell: impl FnMut(usize, usize) -> Option<i8>) -> Matrix {
        let cells = (0..n * n).map(|at| cell(at / n, at % n)).collect();
        Matrix { n, cells }
    }

    pub(super) fn at(&self, x: usize, y: usize) -> Option<i8> {
        self.cells[x * self.n + y]
    }
}

impl Search<'_, '_, '_> {
    pub(super) fn offer(&self, best: &mut Best, at: &[usize]) {
        best.offer(self.rank(at), at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::witness::Access;

    #[test]
    fn the_most_ordinary_survive() {
        let mut best = Best::default();
        for size in (0..5_000).rev() {
            best.offer((0, Access::Public, false, size), &[size]);
        }
        let kept: Vec<Vec<usize>> = best.into_positions().collect();
        assert_eq!(kept.len(), KEPT);
        assert_eq!(kept[0], [0]);
    }
}
