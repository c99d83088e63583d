//! Conversion between enums.

/// Converts an enum to another one with the same variants. A variant without a counterpart does not compile.
macro_rules! same_variants {
    (@ $by:ty, $from:ty => $to:ty: $($variant:ident),+) => {
        impl From<$by> for $to {
            fn from(of: $by) -> Self {
                type Of = $from;
                match of { $(Of::$variant { .. } => Self::$variant,)+ }
            }
        }
    };
    (& $from:ty => $($rest:tt)+) => { same_variants!(@ &$from, $from => $($rest)+); };
    ($from:ty => $($rest:tt)+) => { same_variants!(@ $from, $from => $($rest)+); };
}
pub(crate) use same_variants;
