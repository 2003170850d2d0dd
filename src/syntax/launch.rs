//! Kernel launches `kernel<<<grid, block, shared, stream>>>(arguments)`, in code and in macro bodies.

use super::lex::Kind;
use super::{args, Source};
use std::ops::Range;

/// One launch; all ranges are tokens.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The kernel expression: `k`, `ns::k<T, 4>`, `obj.k`, `(*pointer)`.
    pub kernel: Range<usize>,
    /// The `<<<` token.
    pub open: usize,
    /// The configuration operands: grid, block, and where written shared bytes and stream.
    pub config: Vec<Range<usize>>,
    /// The three `>` tokens.
    pub close: Range<usize>,
    /// What stands between the parentheses after the chevrons; `None` when no parenthesis follows (a macro
    /// supplies it).
    pub arguments: Option<Range<usize>>,
    /// Everything, from the kernel to the closing parenthesis.
    pub whole: Range<usize>,
}

impl Launch {
    pub fn grid(&self) -> Option<&Range<usize>> {
        self.config.first()
    }
    pub fn block(&self) -> Option<&Range<usize>> {
        self.config.get(1)
    }
    pub fn shared(&self) -> Option<&Range<usize>> {
        self.config.get(2)
    }
    pub fn stream(&self) -> Option<&Range<usize>> {
        self.config.get(3)
    }
}

/// All launches of a file, in order.
pub fn find(src: &Source) -> Vec<Launch> {
    let opens = (0..src.tokens.len()).filter(|&i| src.tokens[i].kind == Kind::LaunchOpen);
    opens.filter_map(|i| find_at(src, i)).collect()
}

/// The launch whose `<<<` is this token.
pub fn find_at(src: &Source, open: usize) -> Option<Launch> {
    let close = closing(src, open)?;
    let kernel = kernel_start(src, open)?..open;
    let arguments = match src.tokens.get(close + 3) {
        Some(t) if t.is(b'(') => src.brackets.partner(close + 3).map(|p| close + 4..p),
        _ => None,
    };
    let end = arguments.as_ref().map_or(close + 3, |a| a.end + 1);
    Some(Launch {
        whole: kernel.start..end,
        kernel,
        open,
        config: args::split(src, open + 1..close),
        close: close..close + 3,
        arguments,
    })
}

/// The first of three adjacent `>` at bracket depth 0 that is not needed to close template arguments.
fn closing(src: &Source, open: usize) -> Option<usize> {
    let in_directive = src.tokens[open].in_directive;
    let mut i = open + 1;
    while i < src.tokens.len() {
        let t = &src.tokens[i];
        if t.in_directive != in_directive {
            if in_directive {
                return None;
            }
            i += 1;
            continue;
        }
        match t.kind {
            Kind::Punct(b'(' | b'[' | b'{') => i = src.brackets.partner(i)?,
            Kind::Punct(b')' | b']' | b'}' | b';') => return None,
            // Template arguments are skipped whole, so `dim3(f<g<h<int>>>())` and `min<size_t>(n, 64)` are safe.
            Kind::Punct(b'<') => {
                if let Some(p) = args::template_close(src, i, src.tokens.len()) {
                    i = p;
                }
            }
            Kind::Punct(b'>') if adjacent(src, i) => {
                // `>>>>`: an unrecognised template's `>` comes first; the last three end the launch.
                return Some(if adjacent(src, i + 1) { i + 1 } else { i });
            }
            _ => {}
        }
        i += 1;
    }
    None
}

/// Whether tokens i, i+1, i+2 are `>>>` without gaps.
fn adjacent(src: &Source, i: usize) -> bool {
    let Some(t) = src.tokens.get(i..i + 3) else {
        return false;
    };
    t.iter().all(|t| t.is(b'>')) && t[0].end == t[1].start && t[1].end == t[2].start
}

/// The first token of the kernel expression that ends before the `<<<`.
fn kernel_start(src: &Source, open: usize) -> Option<usize> {
    let mut i = open;
    loop {
        i = i.checked_sub(1)?;
        let t = &src.tokens[i];
        match t.kind {
            Kind::Ident => {}
            Kind::Punct(b'>') => {
                i = template_open(src, i)?.checked_sub(1)?;
                if !src.tokens[i].is_ident() {
                    return None;
                }
            }
            Kind::Punct(b')' | b']') => {
                i = src.brackets.partner(i)?;
                // `f(x)<<<…` and `table[i]<<<…`: the callee belongs to it; `if (c) (k)<<<…` does not.
                if i > 0 && (src.tokens[i - 1].is_ident() && !is_keyword(src.text(i - 1))) {
                    i -= 1;
                } else {
                    return Some(i);
                }
            }
            _ => return None,
        }
        if i > 0 && src.text(i - 1) == b"template" {
            i -= 1;
        }
        // Qualification, member access and pasting reach further back.
        match i.checked_sub(1).map(|j| src.tokens[j].kind) {
            Some(Kind::Scope | Kind::Arrow | Kind::Punct(b'.') | Kind::Paste) => {
                let before = i.checked_sub(2).map(|j| src.tokens[j].kind);
                match before {
                    Some(Kind::Ident | Kind::Punct(b'>' | b')' | b']')) if !is_keyword(src.text(i - 2)) => i -= 1,
                    _ => return Some(i - 1),
                }
            }
            _ => return Some(i),
        }
    }
}

/// The `<` that the `>` at `close` closes, walking back over template arguments.
pub fn template_open(src: &Source, close: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut i = close;
    loop {
        match src.tokens[i].kind {
            Kind::Punct(b'>') => depth += 1,
            Kind::Punct(b'<') => {
                depth -= 1;
                if depth == 0 {
                    return Some(i);
                }
            }
            Kind::Op if src.text(i) == b"<<" => {
                if depth <= 2 {
                    return None;
                }
                depth -= 2;
            }
            Kind::Punct(b')' | b']' | b'}') => i = src.brackets.partner(i)?,
            Kind::Punct(b';' | b'{' | b'(') => return None,
            _ => {}
        }
        i = i.checked_sub(1)?;
    }
}

fn is_keyword(word: &[u8]) -> bool {
    matches!(
        word,
        b"return" | b"else" | b"do" | b"if" | b"while" | b"for" | b"switch" | b"case"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(code: &str) -> Vec<String> {
        let src = Source::new(code.as_bytes());
        let text = |r: &Range<usize>| src.span_of(r).map_or("", |s| &code[s]).to_string();
        find(&src)
            .iter()
            .map(|l| {
                let config: Vec<_> = l.config.iter().map(&text).collect();
                format!(
                    "{} | {} | {}",
                    text(&l.kernel),
                    config.join(" ; "),
                    l.arguments.as_ref().map_or("-".into(), &text)
                )
            })
            .collect()
    }

    #[test]
    fn forms_of_launches() {
        let table = [
            ("k<<<g, b>>>(x, y);", "k | g ; b | x, y"),
            (
                "ns::k<T, 4><<<dim3(1, 2), min<size_t>(n, 64), 0, s>>>();",
                "ns::k<T, 4> | dim3(1, 2) ; min<size_t>(n, 64) ; 0 ; s | ",
            ),
            ("(*table[i])<<<1, 2>>>(p);", "(*table[i]) | 1 ; 2 | p"),
            (
                "a->k<<<n >> 1, (n > 2) ? 1 : 2>>>(p);",
                "a->k | n >> 1 ; (n > 2) ? 1 : 2 | p",
            ),
            ("if (c) k<<<1, f<g<h<int>>>()>>>(p);", "k | 1 ; f<g<h<int>>>() | p"),
            ("k<<<1 /* , >>> */, // >>>\n 2>>>(p);", "k | 1 ; 2 | p"),
            (
                "#define L(k, ...) k<<<1, 2>>>(__VA_ARGS__)\n",
                "k | 1 ; 2 | __VA_ARGS__",
            ),
            (
                "return this->template run<V><<<1, 2>>>(p);",
                "this->template run<V> | 1 ; 2 | p",
            ),
            ("::k<<<1,2>>>(p);", "::k | 1 ; 2 | p"),
        ];
        for (code, want) in table {
            assert_eq!(shown(code), [want], "{code}");
        }
    }
}
