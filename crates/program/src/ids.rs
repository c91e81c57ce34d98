//! Ids of classes, methods and fields. They follow the order of the inputs, never of arrival.

/// A class of the program: its position among all classes on the class path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(u32);

impl ClassId {
    pub(crate) fn new(index: usize) -> ClassId {
        ClassId(index as u32)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

macro_rules! member_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name {
            pub class: ClassId,
            index: u16,
        }

        impl $name {
            pub(crate) fn new(class: ClassId, index: usize) -> $name {
                $name { class, index: index as u16 }
            }

            /// The position in its class.
            pub fn index(self) -> usize {
                usize::from(self.index)
            }
        }
    };
}

member_id! {
    /// A method declared by a class.
    MethodId
}

member_id! {
    /// A field declared by a class.
    FieldId
}
