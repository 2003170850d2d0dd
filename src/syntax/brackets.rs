//! Which bracket closes which, by token index. Each preprocessor line is matched by itself, so that an unbalanced
//! `#define` does not disturb the code around it; so is the code between lines, as if the lines were not there.

use super::directive::Directive;
use super::lex::{Kind, Token};

const NONE: u32 = u32::MAX;

/// The partner of every matched `(`, `[`, `{` and its closer.
pub struct Brackets {
    partner: Vec<u32>,
}

impl Brackets {
    pub fn of(tokens: &[Token], directives: &[Directive]) -> Brackets {
        let mut b = Brackets {
            partner: vec![NONE; tokens.len()],
        };
        b.pair(tokens, (0..tokens.len()).filter(|&i| !tokens[i].in_directive));
        for d in directives {
            b.pair(tokens, d.tokens.clone());
        }
        b
    }

    fn pair(&mut self, tokens: &[Token], indices: impl Iterator<Item = usize>) {
        let mut stack: Vec<u32> = Vec::new();
        for i in indices {
            let close = match tokens[i].kind {
                Kind::Punct(b'(' | b'[' | b'{') => {
                    stack.push(i as u32);
                    continue;
                }
                Kind::Punct(c @ (b')' | b']' | b'}')) => c,
                _ => continue,
            };
            let open = match close {
                b')' => b'(',
                b']' => b'[',
                _ => b'{',
            };
            // An unmatched opener inside (an #if arm that cuts a call) is passed over, but a parenthesis never
            // reaches over a brace: the damage stays within one block.
            for p in (0..stack.len()).rev() {
                let j = stack[p] as usize;
                if tokens[j].is(open) {
                    stack.truncate(p);
                    self.partner[j] = i as u32;
                    self.partner[i] = j as u32;
                    break;
                }
                if close != b'}' && tokens[j].is(b'{') {
                    break;
                }
            }
        }
    }

    /// The matching bracket of the one at this token.
    pub fn partner(&self, token: usize) -> Option<usize> {
        self.partner
            .get(token)
            .copied()
            .filter(|&p| p != NONE)
            .map(|p| p as usize)
    }
}
