//! Which methods can be summarised at once, so that the outcome is the same as one after the other.

/// The methods of `order` in levels. Who comes later in the order and asks for an earlier one is on a
/// higher level, as it must see the news; who comes earlier and asks for a later one is on no higher level,
/// as it must not.
pub(super) fn levels(order: &[Vec<usize>], callers: &[Vec<u32>]) -> Vec<Vec<usize>> {
    const NONE: u32 = u32::MAX;
    let mut level = vec![NONE; callers.len()];
    // The least level that a method may have, by what was placed so far.
    let mut least = vec![0u32; callers.len()];
    let mut levels: Vec<Vec<usize>> = Vec::new();
    let mut asked: Vec<Vec<u32>> = vec![Vec::new(); callers.len()];
    for (method, callers) in callers.iter().enumerate() {
        for &caller in callers {
            asked[caller as usize].push(method as u32);
        }
    }
    for &method in order.iter().flatten() {
        let own = least[method];
        level[method] = own;
        for &caller in &callers[method] {
            raise(&mut least, &level, caller as usize, own + 1);
        }
        for &callee in &asked[method] {
            raise(&mut least, &level, callee as usize, own);
        }
        if levels.len() <= own as usize {
            levels.resize_with(own as usize + 1, Vec::new);
        }
        levels[own as usize].push(method);
    }
    fn raise(least: &mut [u32], level: &[u32], method: usize, to: u32) {
        if level[method] == NONE {
            least[method] = least[method].max(to);
        }
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::levels;

    #[test]
    fn callers_come_later_unless_they_came_first() {
        // 0 is called by 1 and 2, which call each other; 3 stands alone.
        let callers = [vec![1, 2], vec![2], vec![1], vec![]];
        let order = [vec![0], vec![1, 2], vec![3]];
        assert_eq!(levels(&order, &callers), [vec![0, 3], vec![1], vec![2]]);
    }

    #[test]
    fn who_asked_before_still_sees_the_old() {
        // 0 asks 1, which comes after it.
        let callers = [vec![], vec![0]];
        assert_eq!(levels(&[vec![0, 1]], &callers), [vec![0, 1]]);
    }
}
