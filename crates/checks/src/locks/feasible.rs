//! Whether threads can really be in the places that a circle needs, all at once.
