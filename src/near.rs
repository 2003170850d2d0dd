//! The right word for a wrong one.

/// The known word that is nearest to a wrong one, if any is near.
pub fn nearest<'a>(wrong: &str, known: &[&'a str]) -> Option<&'a str> {
    similar::get_close_matches(wrong, known, 1, 0.6).into_iter().next()
}
