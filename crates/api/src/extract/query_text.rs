//! Parses a query string into a tree of texts, and deserializes that tree.

use std::collections::BTreeMap;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error as _, IntoDeserializer, Visitor, value::Error};
use serde::forward_to_deserialize_any;

use crate::envelope::ApiError;

/// The maximum number of parameters.
const MAX_PARAMETERS: usize = 200;
/// The maximum nesting of a key.
const MAX_DEPTH: usize = 5;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    Leaf(String),
    /// Nested values by name.
    Map(BTreeMap<String, Node>),
    /// Nested values by index, in order.
    List(BTreeMap<u16, Node>),
}

impl Node {
    /// Parses a query string. Refuses a key that occurs twice or with different kinds of values.
    pub(super) fn read(query: &str) -> Result<Self, ApiError> {
        let mut root = Self::Map(BTreeMap::new());
        for (count, (key, value)) in form_urlencoded::parse(query.as_bytes()).enumerate() {
            let refuse = |reason: &str| ApiError::invalid(key.clone(), reason);
            if count >= MAX_PARAMETERS {
                return Err(refuse("too many entries"));
            }
            // PostgreSQL cannot store NUL.
            if value.contains('\0') {
                return Err(refuse("a character that is no text"));
            }
            let steps = steps(&key).ok_or_else(|| refuse("malformed key"))?;
            root.put(&steps, value.into_owned()).ok_or_else(|| refuse("stands twice, or as two kinds"))?;
        }
        Ok(root)
    }

    fn put(&mut self, steps: &[Step], value: String) -> Option<()> {
        let (step, rest) = steps.split_first()?;
        let slot = match (self, step) {
            (Self::Map(parts), Step::Name(name)) => {
                if rest.is_empty() && parts.contains_key(name) {
                    return None;
                }
                parts.entry(name.clone()).or_insert_with(|| Self::empty(rest))
            }
            (Self::List(parts), Step::Index(index)) => {
                if rest.is_empty() && parts.contains_key(index) {
                    return None;
                }
                parts.entry(*index).or_insert_with(|| Self::empty(rest))
            }
            _ => return None,
        };
        if rest.is_empty() {
            *slot = Self::Leaf(value);
            Some(())
        } else {
            slot.put(rest, value)
        }
    }

    fn empty(rest: &[Step]) -> Self {
        match rest.first() {
            Some(Step::Index(_)) => Self::List(BTreeMap::new()),
            _ => Self::Map(BTreeMap::new()),
        }
    }

    fn parse<T: std::str::FromStr>(self, expected: &str) -> Result<T, Error> {
        match self {
            Self::Leaf(text) => text.parse().map_err(|_| Error::custom(format_args!("not {expected}"))),
            _ => Err(Error::custom(format_args!("not {expected}"))),
        }
    }
}

enum Step {
    Name(String),
    Index(u16),
}

/// Splits `a.b[0].c` into its steps.
fn steps(key: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for part in key.split('.') {
        let (name, mut indexes) = part.split_at(part.find('[').unwrap_or(part.len()));
        if name.is_empty() {
            return None;
        }
        steps.push(Step::Name(name.to_owned()));
        while let Some(open) = indexes.strip_prefix('[') {
            let (index, rest) = open.split_once(']')?;
            steps.push(Step::Index(index.parse().ok()?));
            indexes = rest;
        }
        if !indexes.is_empty() {
            return None;
        }
    }
    (steps.len() <= MAX_DEPTH).then_some(steps)
}

macro_rules! numbers {
    ($($method:ident $visit:ident $kind:ty),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.$visit(self.parse::<$kind>("a whole number in range")?)
        }
    )*};
}

impl<'de> Deserializer<'de> for Node {
    type Error = Error;

    numbers! {
        deserialize_u8 visit_u8 u8, deserialize_u16 visit_u16 u16, deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64, deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32, deserialize_i64 visit_i64 i64,
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(self.parse::<bool>("true or false")?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        // Forms send `amount=` for an empty field.
        if self == Self::Leaf(String::new()) { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Self::Leaf(text) => {
                let text: serde::de::value::StringDeserializer<Error> = text.into_deserializer();
                text.deserialize_enum(name, variants, visitor)
            }
            _ => Err(Error::custom("not a word")),
        }
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Leaf(text) => visitor.visit_string(text),
            Self::Map(parts) => visitor.visit_map(MapDeserializer::new(parts.into_iter())),
            Self::List(parts) => visitor.visit_seq(SeqDeserializer::new(parts.into_values())),
        }
    }

    forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any i128 u128
    }
}

impl IntoDeserializer<'_, Error> for Node {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Asked {
        page: u32,
        #[serde(default)]
        methods: Vec<String>,
        #[serde(default)]
        certified: Option<bool>,
        price: Option<Bounds>,
        side: Side,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Bounds {
        min: String,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "UPPERCASE")]
    enum Side {
        Buy,
    }

    fn read(query: &str) -> Result<Asked, String> {
        let tree = Node::read(query).map_err(|error| format!("{error:?}"))?;
        Asked::deserialize(tree).map_err(|error| error.to_string())
    }

    #[test]
    fn arrays_nesting_numbers_and_words_are_read() {
        let asked = read("page=2&methods[1]=b%26&methods[0]=a&price.min=1.5&certified=true&side=BUY").unwrap();
        let price = Some(Bounds { min: "1.5".into() });
        let methods = vec!["a".into(), "b&".into()];
        assert_eq!(asked, Asked { page: 2, methods, certified: Some(true), price, side: Side::Buy });
        assert_eq!(read("page=1&certified=&side=BUY").unwrap().certified, None);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for query in [
            "page=x&side=BUY",
            "page=-1&side=BUY",
            "page=1&page=2&side=BUY",
            "page=1&side=NO",
            "page=1&side=BUY&methods=a",
            "page=1&side=BUY&methods[x]=a",
            "page=1&side=BUY&a.b.c.d.e.f=1",
            "page=1&side=BUY&unknown=1",
            "page=1&side=BUY&.=1",
        ] {
            assert!(read(query).is_err(), "{query}");
        }
    }
}
