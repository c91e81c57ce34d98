pub mod args;
pub mod render;
