//! The dataflow: which values of a function are lane ids, warp ids, lane masks, warp counts or warp-sized constants, and
//! the places where a wavefront of 64 lanes would change them. One walk in program order, with scopes.

use super::words;
use crate::syntax::body::{Body, Declaration, Stmt};
use crate::syntax::expr::{Id, Node, Op};
use crate::syntax::function::Function;
use crate::syntax::lex::Kind as Lex;
use crate::syntax::{args, launch, Source};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Data,
    /// A thread's index in the block or grid.
    Thread,
    /// The first thread of a block in the grid.
    Block,
    /// The number of threads of a block.
    Threads,
    /// 0 to 31 by position in the warp.
    Lane,
    Warp,
    Mask,
    WarpCount,
    /// A constant that stands for the number of lanes.
    Width,
}

/// A value depends on `threadIdx.x`.
pub const X: u8 = 1;
/// It depends on `threadIdx.y` or `.z`.
pub const Y: u8 = 2;
/// It depends on a lane id.
pub const LANE: u8 = 4;
/// It depends on a warp id.
pub const WARP: u8 = 8;

#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub kind: Kind,
    pub number: Option<i64>,
    /// A literal, not a named constant.
    literal: bool,
    pub deps: u8,
    /// First and one past the last token of the expression that made it what it is.
    origin: Option<(u32, u32)>,
    /// The first dimension, of a `dim3`.
    pub x: Option<i64>,
}

const DATA: Value = Value {
    kind: Kind::Data,
    number: None,
    literal: false,
    deps: 0,
    origin: None,
    x: None,
};

impl Value {
    fn of(kind: Kind, deps: u8) -> Value {
        Value { kind, deps, ..DATA }
    }
    pub fn origin(&self) -> Option<Range<usize>> {
        self.origin.map(|o| o.0 as usize..o.1 as usize)
    }
    /// Whether it is this number by a literal or by a constant of a warp.
    fn is(&self, n: i64) -> bool {
        self.number == Some(n) && (self.literal || self.kind == Kind::Width)
    }
}

/// What was found at a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    FullMask,
    Narrow,
    Bits(String),
    LaneBit,
    /// Arithmetic by 32; what it gives.
    Arithmetic(&'static str),
    Array,
    Constant(String),
    ShuffleWidth(String),
    LastLane,
    /// A comparison with the size of a warp.
    Limit,
    WarpSize,
    WarpSizeMember,
    /// Threads of a block.
    BlockSize(i64),
    Synchronous(bool),
    Spin,
    Specialised,
    Divergent(String),
    EarlyReturn,
}

/// A finding before its words: tokens, and the tokens where the fact came from.
#[derive(Clone, Debug)]
pub struct Event {
    pub what: What,
    pub tokens: Range<usize>,
    pub origin: Option<Range<usize>>,
    /// Holds only if the function shows that it works by warps.
    pub needs_evidence: bool,
}

/// What is known of names outside the function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Integer constants; `None` where two files disagree.
    pub constants: BTreeMap<String, Option<i64>>,
    /// What functions and macros of that name return.
    pub returns: BTreeMap<String, Kind>,
    /// What they are called with, by argument.
    pub arguments: BTreeMap<String, BTreeMap<usize, Kind>>,
    /// The first dimension of the block that a kernel is launched with.
    pub launched: BTreeMap<String, i64>,
}

impl Facts {
    pub fn merge(&mut self, other: &Facts) {
        for (k, v) in &other.constants {
            let e = self.constants.entry(k.clone()).or_insert(*v);
            if e != v {
                *e = None;
            }
        }
        for (k, v) in &other.returns {
            self.returns.insert(k.clone(), *v);
        }
        for (k, v) in &other.arguments {
            self.arguments.entry(k.clone()).or_default().extend(v);
        }
        for (k, v) in &other.launched {
            self.launched.insert(k.clone(), *v);
        }
    }
}

/// The facts that one file sees: its own, and those of the files that includes tie to it.
#[derive(Clone, Copy)]
pub struct Known<'f> {
    pub own: &'f Facts,
    pub program: &'f Facts,
}

impl Known<'_> {
    pub fn constant(&self, name: &str) -> Option<i64> {
        let found = self
            .own
            .constants
            .get(name)
            .or_else(|| self.program.constants.get(name));
        found.copied().flatten()
    }

    fn returns(&self, name: &str) -> Option<Kind> {
        self.own
            .returns
            .get(name)
            .or_else(|| self.program.returns.get(name))
            .copied()
    }

    fn argument(&self, name: &str, n: usize) -> Option<Kind> {
        let of = |f: &Facts| f.arguments.get(name).and_then(|a| a.get(&n)).copied();
        of(self.own).or_else(|| of(self.program))
    }

    fn launched(&self, name: &str) -> Option<i64> {
        let of = |f: &Facts| f.launched.get(name).copied();
        of(self.own).or_else(|| of(self.program))
    }

    pub fn is_called(&self, name: &str) -> bool {
        self.own.arguments.contains_key(name) || self.program.arguments.contains_key(name)
    }
}

#[derive(Clone)]
struct Variable<'a> {
    name: &'a str,
    value: Value,
    /// Declared as an integer of 32 bits, or as pointer or array of such.
    narrow: bool,
    shared: bool,
    volatile: bool,
    dims: Option<Range<usize>>,
    depth: u32,
}

/// The walk over one function.
pub struct Flow<'s, 'a> {
    src: &'s Source<'a>,
    facts: Known<'s>,
    body: &'s Body,
    vars: Vec<Variable<'s>>,
    values: HashMap<Id, Value>,
    depth: u32,
    pub events: Vec<Event>,
    /// The function uses warp operations or warp words.
    pub evidence: bool,
    pub returned: Option<Kind>,
    pub called: Vec<(String, usize, Kind)>,
    pub launched: Vec<(String, i64)>,
    narrow_return: bool,
    is_lane_named: bool,
    lane_zero: bool,
    warp_slot: bool,
    launch_x: Option<i64>,
    leaves: Option<Range<usize>>,
    /// Consecutive reads of other threads' elements of one shared array.
    chain: Option<(&'s str, usize, Range<usize>, bool)>,
    /// Conditions around the present statement, as values of lane dependence.
    lone: u32,
    lane_branch: u32,
}

impl<'s, 'a> Flow<'s, 'a> {
    pub fn new(src: &'s Source<'a>, facts: Known<'s>, body: &'s Body, f: Option<&Function>) -> Self {
        let mut flow = Flow {
            src,
            facts,
            body,
            vars: Vec::new(),
            values: HashMap::new(),
            depth: 0,
            events: Vec::new(),
            evidence: false,
            returned: None,
            called: Vec::new(),
            launched: Vec::new(),
            narrow_return: false,
            is_lane_named: false,
            lane_zero: false,
            warp_slot: false,
            launch_x: None,
            leaves: None,
            chain: None,
            lone: 0,
            lane_branch: 0,
        };
        if let Some(f) = f {
            flow.enter(f);
        }
        flow
    }

    fn enter(&mut self, f: &Function) {
        let name = self.src.str(f.name);
        self.is_lane_named = words::is_warp(name);
        self.narrow_return = narrow(self.src, &f.head);
        self.launch_x = self.facts.launched(name);
        for (n, p) in f.params.iter().chain(&f.templates).enumerate() {
            let Some(t) = p.name else { continue };
            let word = self.src.str(t);
            let mut value = DATA;
            if let Some(kind) = self.facts.argument(name, n).filter(|_| n < f.params.len()) {
                value.kind = kind;
                value.deps = deps_of(kind);
            } else if words::is_lane(word) && n < f.params.len() {
                value = Value::of(Kind::Lane, LANE);
            } else if words::is_width(word) {
                value.kind = Kind::Width;
            }
            value.origin = Some((t as u32, t as u32 + 1));
            let default = p.default.clone();
            if let Some(d) = &default {
                let number = (d.len() == 1)
                    .then(|| crate::syntax::condition::integer(self.src.text(d.start)))
                    .flatten();
                if number == Some(0xffff_ffff) && words::is_mask(word) {
                    self.event(What::FullMask, d.clone(), None, true);
                }
                if self.src.str(d.start) == "warpSize" && d.len() == 1 {
                    self.event(What::WarpSize, d.clone(), None, false);
                }
                if words::is_width(word) && number == Some(32) {
                    self.event(What::Constant(word.to_string()), d.clone(), None, false);
                    value.number = Some(32);
                }
            }
            let name = self.src.str(t);
            let pointer = p.ty.clone().any(|i| self.src.tokens[i].is(b'*'));
            self.vars.push(Variable {
                name,
                value,
                narrow: narrow(self.src, &p.ty),
                shared: p.ty.clone().any(|i| self.src.str(i) == "volatile") && pointer,
                volatile: p.ty.clone().any(|i| self.src.str(i) == "volatile"),
                dims: None,
                depth: 0,
            });
        }
    }

    /// The parameters of a macro: names of which nothing is known.
    pub fn hide(&mut self, names: impl Iterator<Item = usize>) {
        for t in names {
            self.vars.push(Variable {
                name: self.src.str(t),
                value: DATA,
                narrow: false,
                shared: false,
                volatile: false,
                dims: None,
                depth: 0,
            });
        }
    }

    pub fn run(&mut self) {
        let body = self.body;
        self.statements(&body.stmts);
        let lambdas = body.arena.lambdas.clone();
        for l in lambdas {
            // A lambda sees the facts of the function's end: near enough for its own arithmetic.
            let inner = Body::parse(self.src, l);
            let mut flow = Flow::new(self.src, self.facts, &inner, None);
            flow.vars = Vec::new();
            flow.run();
            self.evidence |= flow.evidence;
            self.events.extend(flow.events);
        }
        self.evidence |= self.lane_zero && self.warp_slot;
    }

    fn event(&mut self, what: What, tokens: Range<usize>, origin: Option<Range<usize>>, needs_evidence: bool) {
        if !tokens.is_empty() {
            let origin = origin.filter(|o| *o != tokens);
            self.events.push(Event {
                what,
                tokens,
                origin,
                needs_evidence,
            });
        }
    }

    fn statements(&mut self, stmts: &'s [Stmt]) {
        for s in stmts {
            self.statement(s);
        }
    }

    fn scoped(&mut self, s: &'s Stmt) {
        self.depth += 1;
        let mark = self.vars.len();
        self.statement(s);
        self.vars.truncate(mark);
        self.depth -= 1;
    }

    fn statement(&mut self, s: &'s Stmt) {
        match s {
            Stmt::Expr(e) => {
                self.eval(*e);
                self.chained(*e);
            }
            Stmt::Declare(all) => all.iter().for_each(|d| self.declare(d)),
            Stmt::Block(inner) => {
                self.depth += 1;
                let mark = self.vars.len();
                self.statements(inner);
                self.vars.truncate(mark);
                self.depth -= 1;
            }
            Stmt::If { cond, then, other, .. } => self.branch(*cond, then, other.as_deref()),
            Stmt::Loop {
                init,
                cond,
                step,
                body,
                whole,
            } => {
                self.depth += 1;
                let mark = self.vars.len();
                if let Some(i) = init {
                    self.statement(i);
                    // `for (i = thread; …; i += threads)`: i goes through data from here on.
                    for v in &mut self.vars[mark..] {
                        v.value.number = None;
                        if v.value.kind == Kind::Thread {
                            v.value.kind = Kind::Data;
                        }
                    }
                    self.demote(i);
                }
                if let Some(c) = cond {
                    self.eval(*c);
                    self.spin(*c, body, whole);
                }
                self.chain = None;
                self.statement(body);
                self.chain = None;
                if let Some(s) = step {
                    self.eval(*s);
                }
                self.vars.truncate(mark);
                self.depth -= 1;
            }
            Stmt::Switch { cond, body } => {
                let v = self.eval(*cond);
                if v.kind == Kind::Warp {
                    let at = self.body.arena.get(*cond).tokens.clone();
                    self.event(What::Specialised, at, v.origin(), false);
                }
                self.scoped(body);
            }
            Stmt::Return(value, _) => {
                if let Some(e) = value {
                    let v = self.eval(*e);
                    if v.kind > Kind::Threads {
                        self.returned = Some(v.kind);
                    }
                    if self.narrow_return {
                        self.narrowed(*e, v);
                    }
                }
            }
            Stmt::Jump(_) | Stmt::Other(_) => {
                if let Stmt::Other(r) = s {
                    self.asm(r);
                }
            }
            Stmt::Case(e) => {
                self.eval(*e);
            }
        }
    }

    /// The same for a loop variable declared before the loop.
    fn demote(&mut self, init: &Stmt) {
        let Stmt::Expr(e) = init else { return };
        let Node::Assign(None, l, _) = self.body.arena.node(*e) else {
            return;
        };
        let Node::Name(t) = self.body.arena.node(*l) else {
            return;
        };
        let name = self.src.str(*t);
        if let Some(v) = self.vars.iter_mut().rev().find(|v| v.name == name) {
            v.value.number = None;
            if v.value.kind == Kind::Thread {
                v.value.kind = Kind::Data;
            }
        }
    }

    /// The variable has another number now.
    fn forget(&mut self, e: Id) {
        if let Node::Name(t) = self.body.arena.node(e) {
            let name = self.src.str(*t);
            if let Some(v) = self.vars.iter_mut().rev().find(|v| v.name == name) {
                v.value.number = None;
            }
        }
    }

    fn asm(&mut self, r: &Range<usize>) {
        let text = self.src.span_of(r).map_or(&b""[..], |s| &self.src.bytes[s]);
        if [&b"laneid"[..], b"lanemask", b"shfl."]
            .iter()
            .any(|w| memchr::memmem::find(text, w).is_some())
        {
            self.evidence = true;
            // `asm("mov.u32 %0, %%laneid;" : "=r"(x))`: x becomes a lane.
            let kind = if memchr::memmem::find(text, b"laneid").is_some() {
                Kind::Lane
            } else {
                Kind::Mask
            };
            let name = r
                .clone()
                .rev()
                .find(|&i| self.src.tokens[i].is_ident())
                .map(|i| self.src.str(i));
            let origin = Some((r.start as u32, r.end as u32));
            if let Some(v) = self.vars.iter_mut().rev().find(|v| Some(v.name) == name) {
                v.value = Value {
                    origin,
                    ..Value::of(kind, LANE)
                };
            }
        }
    }

    fn branch(&mut self, cond: Id, then: &'s Stmt, other: Option<&'s Stmt>) {
        let v = self.eval(cond);
        let at = self.body.arena.get(cond).tokens.clone();
        let lone = self.is_lone(cond);
        let lanes = self.by_lane(cond);
        if other.is_some() && self.by_warp(cond) {
            self.event(What::Specialised, at.clone(), v.origin(), false);
        }
        let returns = |s: &Stmt| match s {
            Stmt::Return(None, t) => Some(*t),
            Stmt::Block(b) => match b.as_slice() {
                [Stmt::Return(None, t)] => Some(*t),
                _ => None,
            },
            _ => None,
        };
        if let Some(t) = returns(then) {
            let rows = v.deps & Y != 0 && v.deps & (X | LANE) == 0 && self.launch_x.is_some_and(|x| x % 64 != 0);
            if (rows || (v.deps & WARP != 0 && v.deps & (X | LANE) == 0)) && self.leaves.is_none() {
                self.leaves = Some(at.start..t + 1);
            }
        }
        self.lone += lone as u32;
        self.lane_branch += lanes as u32;
        self.scoped(then);
        if let Some(o) = other {
            self.scoped(o);
        }
        self.lone -= lone as u32;
        self.lane_branch -= lanes as u32;
    }

    /// `thread == constant`: one lane goes on.
    fn is_lone(&self, cond: Id) -> bool {
        let mut found = false;
        self.body.arena.walk(cond, &mut |id| {
            let e = self.body.arena.node(id);
            if let Node::Binary(Op::Eq, a, b) = e {
                let k = |i: &Id| self.values.get(i).map_or(Kind::Data, |v| v.kind);
                found |= matches!(k(a), Kind::Thread | Kind::Lane) || matches!(k(b), Kind::Thread | Kind::Lane);
            }
            if let Node::Unary(b'!', a) = e {
                found |= matches!(self.values.get(a).map(|v| v.kind), Some(Kind::Thread | Kind::Lane));
            }
        });
        found
    }

    /// The condition divides the lanes of a warp by their number.
    fn by_lane(&self, cond: Id) -> bool {
        match self.body.arena.node(cond) {
            Node::Unary(b'+', a) => self.by_lane(*a),
            Node::Binary(Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne, a, b) => {
                let (a, b) = (self.values.get(a), self.values.get(b));
                a.is_some_and(|v| v.kind == Kind::Lane)
                    && b.is_some_and(|v| v.number.is_some_and(|n| (0..32).contains(&n)))
            }
            _ => false,
        }
    }

    fn by_warp(&self, cond: Id) -> bool {
        match self.body.arena.node(cond) {
            Node::Unary(b'+' | b'!', a) => self.by_warp(*a),
            Node::Name(_) => self.values.get(&cond).is_some_and(|v| v.kind == Kind::Warp),
            Node::Binary(Op::Eq | Op::Ne | Op::Lt | Op::Ge | Op::Gt | Op::Le, a, b) => {
                let (a, b) = (self.values.get(a), self.values.get(b));
                a.is_some_and(|v| v.kind == Kind::Warp) && b.is_some_and(|v| v.number.is_some())
            }
            _ => false,
        }
    }

    /// A loop that waits for another thread's store: `while (atomicCAS(lock, 0, 1) != 0);`.
    fn spin(&mut self, cond: Id, body: &Stmt, whole: &Range<usize>) {
        let empty = match body {
            Stmt::Block(b) => b.iter().all(|s| match s {
                Stmt::Expr(e) => matches!(self.body.arena.node(*e), Node::Call(f, ..) if self.callee(*f).is_some_and(|n| n.contains("sleep"))),
                _ => false,
            }),
            _ => false,
        };
        if !empty || self.lone > 0 {
            return;
        }
        let mut takes = false;
        self.body.arena.walk(cond, &mut |id| {
            if let Node::Call(f, ..) = self.body.arena.node(id) {
                takes |= self
                    .callee(*f)
                    .is_some_and(|n| matches!(n, "atomicCAS" | "atomicExch" | "atomicCAS_block" | "atomicExch_block"));
            }
        });
        if takes {
            let at = self.body.arena.get(cond).tokens.clone();
            self.event(What::Spin, at, Some(whole.start..whole.start + 1), false);
        }
    }

    /// `a[tid] += a[tid + 16];` one after another without a barrier between.
    fn chained(&mut self, e: Id) {
        let arena = &self.body.arena;
        if let Node::Call(f, ..) = arena.node(e) {
            if self.callee(*f).is_some_and(words::is_barrier) {
                self.chain = None;
            }
            return;
        }
        let (Node::Assign(_, left, right), tokens) = (arena.node(e), arena.get(e).tokens.clone()) else {
            return;
        };
        let Node::Index(base, own) = arena.node(*left) else {
            return;
        };
        let own = arena.get(*own).tokens.clone();
        let Node::Name(t) = arena.node(*base) else { return };
        let name = self.src.str(*t);
        let Some(var) = self.vars.iter().rev().find(|v| v.name == name).filter(|v| v.shared) else {
            return;
        };
        let volatile = var.volatile;
        let mut reads = false;
        arena.walk(*right, &mut |id| {
            if let Node::Index(b, i) = arena.node(id) {
                let same = matches!(arena.node(*b), Node::Name(t) if self.src.str(*t) == name);
                if let (true, Node::Binary(Op::Add | Op::Xor, x, k)) = (same, arena.node(*i)) {
                    let v = |i: &Id| self.values.get(i).copied().unwrap_or(DATA);
                    let step = v(k).number.is_some_and(|n| matches!(n, 1 | 2 | 4 | 8 | 16 | 32));
                    let mine = arena
                        .get(*x)
                        .tokens
                        .clone()
                        .map(|i| self.src.text(i))
                        .eq(own.clone().map(|i| self.src.text(i)));
                    reads |= step && mine;
                }
            }
        });
        if !reads {
            return;
        }
        match &mut self.chain {
            Some((n, count, first, _)) if *n == name => {
                *count += 1;
                if *count == 3 {
                    let first = first.clone();
                    self.event(What::Synchronous(volatile), first, Some(tokens), false);
                }
            }
            _ => self.chain = Some((name, 1, tokens, volatile)),
        }
    }

    fn declare(&mut self, d: &'s Declaration) {
        let src = self.src;
        let name = src.str(d.name);
        let word = |w: &str| d.ty.clone().any(|i| src.str(i) == w);
        let shared = word("__shared__");
        let mut value = DATA;
        let dims: Vec<Value> = d.dims.iter().map(|&i| self.eval(i)).collect();
        if let Some(i) = d.init {
            let v = self.eval(i);
            value = self.named(name, v);
            if word("dim3") {
                value = self.dim3(i, v);
            }
            let is_const = word("const") || word("constexpr");
            if d.dims.is_empty() && !d.pointer {
                value.literal = value.literal && !is_const;
                if words::is_width(name) && v.number == Some(32) {
                    value.kind = Kind::Width;
                    let at = self.body.arena.get(i).tokens.clone();
                    if v.literal {
                        self.event(What::Constant(name.to_string()), at, None, false);
                    }
                }
                if narrow(src, &d.ty) {
                    self.narrowed(i, v);
                }
                if words::is_mask(name) && full(v) {
                    let at = self.body.arena.get(i).tokens.clone();
                    self.event(What::FullMask, at, None, !words::is_full_mask(name));
                }
            }
        }
        let span = d.dims.first().map(|&i| self.body.arena.get(i).tokens.clone());
        if shared {
            if let (Some(&i), Some(_)) = (d.dims.first(), dims.first()) {
                if self.per_warp(i) {
                    let at = self.body.arena.get(i).tokens.clone();
                    self.event(What::Array, at, None, true);
                }
            }
        }
        let volatile = word("volatile");
        // A volatile pointer in a kernel points into shared memory as a rule: nothing else was volatile there.
        let from_shared = d.pointer && volatile && d.init.is_some();
        self.vars.push(Variable {
            name,
            value,
            narrow: narrow(src, &d.ty),
            shared: shared || from_shared,
            volatile,
            dims: span,
            depth: self.depth,
        });
    }

    fn dim3(&mut self, init: Id, v: Value) -> Value {
        let mut parts = Vec::new();
        let mut id = init;
        while let Node::Binary(Op::Comma, a, b) = self.body.arena.node(id) {
            parts.push(*b);
            id = *a;
        }
        if parts.is_empty() {
            let x = v.x.or(v.number);
            return Value { x, ..v };
        }
        parts.push(id);
        parts.reverse();
        self.sized(&parts)
    }

    /// A block of these dimensions.
    fn sized(&mut self, parts: &[Id]) -> Value {
        let numbers: Vec<Option<i64>> = parts
            .iter()
            .map(|p| self.values.get(p).and_then(|v| v.number))
            .collect();
        let number = numbers.iter().try_fold(1i64, |a, n| a.checked_mul((*n)?));
        Value {
            number,
            x: numbers.first().copied().flatten(),
            ..DATA
        }
    }

    /// What a name that receives the value adds to it.
    fn named(&mut self, name: &str, v: Value) -> Value {
        if matches!(v.kind, Kind::Lane | Kind::Warp | Kind::WarpCount) && words::is_warp(name) {
            self.evidence = true;
        }
        v
    }

    /// `N / 32` as the size of an array: a slot a warp.
    fn per_warp(&self, dim: Id) -> bool {
        let mut found = false;
        self.body.arena.walk(dim, &mut |id| match self.body.arena.node(id) {
            Node::Binary(Op::Div, a, b) => {
                let big = self.values.get(a).is_some_and(|v| v.number.is_none_or(|n| n > 32));
                found |= big && self.values.get(b).is_some_and(|v| v.is(32));
            }
            Node::Binary(Op::Shr, _, b) => found |= self.values.get(b).is_some_and(|v| v.is(5)),
            _ => {}
        });
        found
    }

    /// A ballot that goes into 32 bits.
    fn narrowed(&mut self, e: Id, v: Value) {
        if v.kind != Kind::Mask {
            if let Node::Binary(Op::And, a, b) = self.body.arena.node(e) {
                let (a, b) = (*a, *b);
                if self.is_ballot(a) || self.is_ballot(b) {
                    let at = self.body.arena.get(e).tokens.clone();
                    self.event(What::Narrow, at, None, false);
                }
            }
            return;
        }
        if self.is_ballot(e) {
            let at = self.body.arena.get(e).tokens.clone();
            self.event(What::Narrow, at, v.origin(), false);
        }
    }

    fn is_ballot(&self, e: Id) -> bool {
        match self.body.arena.node(e) {
            Node::Call(f, ..) => self
                .callee(*f)
                .is_some_and(|n| words::gives_mask(n) || self.facts.returns(n) == Some(Kind::Mask)),
            Node::Unary(b'+' | b'~', a) | Node::Cast(_, a) => self.is_ballot(*a),
            Node::Binary(Op::And | Op::Or | Op::Xor | Op::Shr, a, b) => self.is_ballot(*a) || self.is_ballot(*b),
            Node::Ternary(_, a, b) => self.is_ballot(*a) || self.is_ballot(*b),
            _ => false,
        }
    }

    fn callee(&self, f: Id) -> Option<&'s str> {
        match self.body.arena.node(f) {
            Node::Name(t) | Node::Member(_, t) => Some(self.src.str(*t)),
            _ => None,
        }
    }

    /// Evaluates an expression, with the findings in it.
    pub fn eval(&mut self, id: Id) -> Value {
        let mut v = self.node(id);
        if v.kind > Kind::Threads && v.origin.is_none() {
            let t = &self.body.arena.get(id).tokens;
            v.origin = Some((t.start as u32, t.end as u32));
        }
        self.values.insert(id, v);
        v
    }

    fn node(&mut self, id: Id) -> Value {
        let body = self.body;
        match body.arena.node(id) {
            Node::Number { value, .. } => Value {
                number: Some(*value),
                literal: true,
                ..DATA
            },
            Node::Name(t) => self.name(*t),
            Node::Member(o, name) => self.member(*o, *name),
            Node::Index(a, i) => self.index(*a, *i),
            Node::Call(f, template, args) => self.call(id, *f, template.clone(), args),
            Node::Unary(op, a) => {
                let v = self.eval(*a);
                match op {
                    b'+' => v,
                    b'-' => Value {
                        number: v.number.and_then(i64::checked_neg),
                        ..Value {
                            origin: v.origin,
                            ..keep(v)
                        }
                    },
                    b'~' if v.kind == Kind::Mask => v,
                    b'~' => Value {
                        number: v.number.map(|n| !n),
                        literal: v.literal,
                        deps: v.deps,
                        ..DATA
                    },
                    b'*' if v.kind != Kind::Mask => Value::of(Kind::Data, v.deps),
                    b'&' => {
                        // Whoever gets the address may write there.
                        self.forget(*a);
                        Value::of(Kind::Data, v.deps)
                    }
                    b'!' => Value::of(Kind::Data, v.deps),
                    _ => v,
                }
            }
            Node::Step(a) => {
                let v = self.eval(*a);
                self.forget(*a);
                Value::of(Kind::Data, v.deps)
            }
            Node::Cast(_, a) => self.eval(*a),
            Node::Ternary(c, a, b) => {
                let c = self.eval(*c);
                let (a, b) = (self.eval(*a), self.eval(*b));
                let pick = if a.kind >= b.kind { a } else { b };
                let number = if a.number == b.number { a.number } else { None };
                Value {
                    number,
                    deps: a.deps | b.deps | c.deps,
                    ..pick
                }
            }
            Node::Opaque(parts) => self.opaque(id, parts),
            Node::Binary(op, a, b) => self.binary(id, *op, *a, *b),
            Node::Assign(op, l, r) => self.assign(id, *op, *l, *r),
        }
    }

    fn opaque(&mut self, id: Id, parts: &[Id]) -> Value {
        for p in parts {
            self.eval(*p);
        }
        let tokens = self.body.arena.get(id).tokens.clone();
        let open = tokens.clone().find(|&i| self.src.tokens[i].kind == Lex::LaunchOpen);
        if let (Some(open), true) = (open, parts.len() >= 3) {
            if let Some(l) = launch::find_at(self.src, open) {
                self.launch(&l, parts);
            }
        }
        DATA
    }

    fn launch(&mut self, l: &launch::Launch, parts: &[Id]) {
        let block = self.values.get(&parts[2]).copied().unwrap_or(DATA);
        let Some(at) = l.block().cloned() else { return };
        // `k<T, 4>`: the name is the last identifier before the template arguments.
        let end = (l.kernel.clone())
            .find(|&i| self.src.tokens[i].is(b'<'))
            .unwrap_or(l.kernel.end);
        if let (Some(x), Some(t)) = (
            block.x.or(block.number),
            (l.kernel.start..end).rev().find(|&i| self.src.tokens[i].is_ident()),
        ) {
            self.launched.push((self.src.str(t).to_string(), x));
        }
        if let Some(n) = block.number.filter(|&n| n > 1 && n <= 1024 && n % 64 != 0) {
            self.event(What::BlockSize(n), at, block.origin(), false);
        }
    }

    fn name(&mut self, t: usize) -> Value {
        let name = self.src.str(t);
        let origin = Some((t as u32, t as u32 + 1));
        if let Some(v) = self.vars.iter().rev().find(|v| v.name == name) {
            let mut value = v.value;
            // A variable's number holds only for constants; loops change the rest.
            value.literal = false;
            return value;
        }
        if name == "warpSize" && self.facts.constant(name).is_none() {
            self.evidence = true;
            self.event(What::WarpSize, t..t + 1, None, false);
            return Value {
                kind: Kind::Width,
                number: Some(32),
                origin,
                ..DATA
            };
        }
        if words::is_width(name) {
            let number = self.facts.constant(name).or(Some(32));
            self.evidence = true;
            return Value {
                kind: if number == Some(32) { Kind::Width } else { Kind::Data },
                number,
                origin,
                ..DATA
            };
        }
        if let Some(kind) = self.facts.returns(name) {
            return Value {
                kind,
                deps: deps_of(kind),
                origin,
                ..DATA
            };
        }
        let number = self.facts.constant(name);
        if words::is_warp_count(name) {
            return Value {
                kind: Kind::WarpCount,
                number,
                ..DATA
            };
        }
        if words::is_block_size(name) {
            return Value {
                kind: Kind::Threads,
                number,
                ..DATA
            };
        }
        let kind = if matches!(number, Some(5 | 31 | 32)) && words::is_warp(name) {
            Kind::Width
        } else {
            Kind::Data
        };
        Value { kind, number, ..DATA }
    }

    fn member(&mut self, o: Id, name: usize) -> Value {
        let word = self.src.str(name);
        if let Node::Name(t) = self.body.arena.node(o) {
            match (self.src.str(*t), word) {
                ("threadIdx", "x") => return Value::of(Kind::Thread, X),
                ("threadIdx", _) => return Value::of(Kind::Thread, Y),
                ("blockDim", _) => return Value::of(Kind::Threads, 0),
                ("blockIdx", _) => return Value::of(Kind::Block, 0),
                ("gridDim", _) => return DATA,
                _ => {}
            }
        }
        let v = self.eval(o);
        if word == "warpSize" {
            self.event(What::WarpSizeMember, name..name + 1, None, false);
            return Value {
                kind: Kind::Width,
                number: Some(32),
                ..DATA
            };
        }
        if let Some(kind) = self
            .facts
            .returns(word)
            .filter(|k| matches!(k, Kind::Lane | Kind::Warp))
        {
            return Value::of(kind, deps_of(kind));
        }
        Value::of(Kind::Data, v.deps)
    }

    fn index(&mut self, a: Id, i: Id) -> Value {
        let base = self.eval(a);
        let at = self.eval(i);
        let mut found = None;
        if let Node::Name(t) = self.body.arena.node(a) {
            let name = self.src.str(*t);
            if let Some(v) = self.vars.iter().rev().find(|v| v.name == name) {
                found = Some((v.shared, v.dims.clone()));
            }
        }
        if let (Some((true, dims)), Kind::Warp) = (&found, at.kind) {
            self.warp_slot = true;
            if let Some(d) = dims {
                self.event(What::Array, d.clone(), at.origin(), true);
            }
        }
        if base.kind == Kind::Mask {
            return Value {
                number: None,
                deps: base.deps | at.deps,
                ..base
            };
        }
        Value::of(Kind::Data, at.deps)
    }

    fn assign(&mut self, id: Id, op: Option<Op>, l: Id, r: Id) -> Value {
        let right = self.eval(r);
        let mut name = None;
        let mut root = l;
        while let Node::Index(a, _) | Node::Unary(b'+' | b'*', a) = self.body.arena.node(root) {
            root = *a;
        }
        if let Node::Name(t) = self.body.arena.node(root) {
            name = Some(self.src.str(*t));
        }
        let left = self.eval(l);
        if op.is_none_or(|o| matches!(o, Op::Or | Op::And | Op::Xor | Op::Add)) {
            let narrow = name
                .and_then(|n| self.vars.iter().rev().find(|v| v.name == n))
                .is_some_and(|v| v.narrow);
            if narrow {
                self.narrowed(r, right);
            }
        }
        // `i += 32` of a value that began as a lane.
        if op == Some(Op::Add) && left.kind == Kind::Lane && right.is(32) {
            let at = self.body.arena.get(id).tokens.clone();
            self.event(What::Arithmetic("stride"), at, left.origin(), true);
        }
        if root == l {
            if let Some(n) = name {
                let value = match op {
                    None => self.named(n, right),
                    Some(op) => self.combined(id, op, l, r, left, right),
                };
                let depth = self.depth;
                if let Some(v) = self.vars.iter_mut().rev().find(|v| v.name == n) {
                    let mut value = Value {
                        number: if v.depth == depth { value.number } else { None },
                        ..value
                    };
                    value.deps |= if v.depth == depth { 0 } else { v.value.deps };
                    if v.depth == depth || value.kind != Kind::Data {
                        v.value = value;
                    } else {
                        v.value.number = None;
                    }
                }
                return value;
            }
        }
        right
    }

    fn binary(&mut self, id: Id, op: Op, l: Id, r: Id) -> Value {
        let a = self.eval(l);
        let b = self.eval(r);
        self.combined(id, op, l, r, a, b)
    }

    fn combined(&mut self, id: Id, op: Op, l: Id, r: Id, a: Value, b: Value) -> Value {
        use Kind::*;
        let tokens = self.body.arena.get(id).tokens.clone();
        let deps = a.deps | b.deps;
        let number = match (a.number, b.number) {
            (Some(x), Some(y)) => fold(op, x, y),
            _ => None,
        };
        let data = Value {
            number,
            deps,
            literal: a.literal && b.literal,
            ..DATA
        };
        let made = |kind, deps| Value {
            kind,
            deps,
            number: None,
            literal: false,
            x: None,
            origin: Some((tokens.start as u32, tokens.end as u32)),
        };
        let width = b.kind == Width;
        let arithmetic = |flow: &mut Self, what| {
            if width {
                flow.evidence = true;
            }
            flow.event(
                What::Arithmetic(what),
                tokens.clone(),
                a.origin().or(b.origin()),
                !width,
            );
        };
        match (op, a.kind, b.kind) {
            (Op::And | Op::Or | Op::Xor, Mask, _) => Value {
                number: None,
                deps,
                ..a
            },
            (Op::And | Op::Or | Op::Xor, _, Mask) => Value {
                number: None,
                deps,
                ..b
            },
            (Op::Add | Op::Sub | Op::Shr | Op::Shl, Mask, _) => Value {
                number: None,
                deps,
                ..a
            },
            (Op::And, Thread, _) if b.is(31) => {
                arithmetic(self, "lane");
                made(Lane, LANE)
            }
            (Op::Rem, Thread, _) if b.is(32) => {
                arithmetic(self, "lane");
                made(Lane, LANE)
            }
            (Op::And, Thread, _) if b.is(!31) || b.is(0xffff_ffe0) => {
                arithmetic(self, "first thread of the warp");
                data
            }
            (Op::Shr, Thread, _) if b.is(5) => {
                arithmetic(self, "warp");
                made(Warp, WARP)
            }
            (Op::Div, Thread, _) if b.is(32) => {
                arithmetic(self, "warp");
                made(Warp, WARP)
            }
            (Op::Shr, Threads, _) if b.is(5) => {
                arithmetic(self, "number of warps");
                Value {
                    number,
                    ..made(WarpCount, 0)
                }
            }
            (Op::Div, Threads, _) if b.is(32) => {
                arithmetic(self, "number of warps");
                Value {
                    number,
                    ..made(WarpCount, 0)
                }
            }
            (Op::Mul, Warp, _) if b.is(32) => {
                arithmetic(self, "first thread of the warp");
                made(Thread, X)
            }
            (Op::Mul, WarpCount, _) if b.is(32) => {
                self.event(What::Arithmetic("number of threads"), tokens.clone(), a.origin(), false);
                Value {
                    number,
                    ..made(Threads, 0)
                }
            }
            (Op::Mul, _, WarpCount) if a.is(32) => {
                self.event(What::Arithmetic("number of threads"), tokens.clone(), b.origin(), false);
                Value {
                    number,
                    ..made(Threads, 0)
                }
            }
            (Op::Shl, Warp, _) if b.is(5) => {
                arithmetic(self, "first thread of the warp");
                made(Thread, X)
            }
            (Op::Shl | Op::Shr, _, Lane) if a.literal && a.number.is_some() => {
                if !self.wide(l) {
                    self.event(What::LaneBit, tokens.clone(), b.origin(), true);
                }
                made(Mask, LANE)
            }
            (Op::Add | Op::Sub, Thread, Thread) => Value { deps, ..a },
            (Op::Add, Thread, Block) | (Op::Add, Block, Thread) => Value {
                deps,
                ..Value::of(Thread, deps)
            },
            (Op::Mul, Thread, Threads) | (Op::Mul, Threads, Thread) => Value::of(Thread, deps),
            (Op::Mul, Block, _) | (Op::Mul, _, Block) => Value::of(Block, deps),
            (Op::Add | Op::Sub, Threads, _) if b.number.is_some() => Value { number, ..a },
            (Op::Add, Lane, _) | (Op::Add, _, Lane) => {
                let other = if a.kind == Lane { r } else { l };
                let lane = if a.kind == Lane { a } else { b };
                if self.is_stride(other) {
                    self.event(What::Arithmetic("stride"), tokens.clone(), lane.origin(), true);
                    return data;
                }
                let other = if a.kind == Lane { b } else { a };
                if other.number.is_some() {
                    Value {
                        deps,
                        number: None,
                        ..lane
                    }
                } else {
                    Value::of(Data, deps)
                }
            }
            (Op::Sub, Lane, _) if b.number.is_some() => Value { deps, ..a },
            (Op::Sub, _, Lane) if a.is(31) || a.is(32) => Value {
                deps,
                number: None,
                ..b
            },
            (Op::Eq | Op::Ne | Op::Lt | Op::Ge | Op::Le | Op::Gt, Lane, _) => {
                self.lane_zero |= b.number == Some(0);
                if b.is(31) {
                    self.event(What::LastLane, tokens.clone(), a.origin(), true);
                }
                data
            }
            (Op::Add | Op::Sub | Op::Mul | Op::Div, Width, _) if number.is_some() && a.number == Some(32) => {
                let halved = matches!((op, b.number), (Op::Sub, Some(1)) | (Op::Div, Some(2)));
                Value {
                    number,
                    deps,
                    kind: if halved { Width } else { Data },
                    literal: false,
                    origin: a.origin,
                    x: None,
                }
            }
            (Op::Comma, ..) => b,
            (Op::Lt | Op::Gt | Op::Le | Op::Ge, _, Width)
                if b.number == Some(32) && matches!(self.body.arena.node(r), Node::Name(_)) =>
            {
                self.event(What::Limit, tokens.clone(), b.origin(), false);
                data
            }
            _ => data,
        }
    }

    fn wide(&self, e: Id) -> bool {
        match self.body.arena.node(e) {
            Node::Number { wide, .. } => *wide,
            Node::Unary(_, a) => self.wide(*a),
            Node::Cast(ty, _) => ty
                .clone()
                .any(|i| matches!(self.src.str(i), "long" | "uint64_t" | "int64_t" | "size_t")),
            _ => false,
        }
    }

    /// `k * 32`: a step of whole warps.
    fn is_stride(&self, e: Id) -> bool {
        match self.body.arena.node(e) {
            Node::Unary(b'+', a) => self.is_stride(*a),
            Node::Binary(Op::Mul, a, b) => {
                let is = |i: &Id| self.values.get(i).is_some_and(|v| v.is(32));
                is(a) || is(b)
            }
            _ => false,
        }
    }

    fn call(&mut self, id: Id, f: Id, template: Option<Range<usize>>, args: &[Id]) -> Value {
        let name = self.callee(f).unwrap_or("");
        if let Node::Member(o, _) = self.body.arena.node(f) {
            let o = *o;
            self.eval(o);
            if name == "thread_rank" {
                let kind = self.values.get(&o).map_or(Kind::Data, |v| v.kind);
                args.iter().for_each(|a| {
                    self.eval(*a);
                });
                return if kind == Kind::Width {
                    Value::of(Kind::Lane, LANE)
                } else {
                    Value::of(Kind::Thread, X)
                };
            }
        }
        let values: Vec<Value> = args.iter().map(|a| self.eval(*a)).collect();
        for (n, v) in values.iter().enumerate() {
            if matches!(v.kind, Kind::Lane | Kind::Warp | Kind::Mask | Kind::Thread) && !name.is_empty() {
                self.called.push((name.to_string(), n, v.kind));
            }
        }
        let deps = values.iter().fold(0, |d, v| d | v.deps);
        if words::is_tile(name) {
            self.evidence = true;
            let by_32 = template
                .as_ref()
                .is_some_and(|t| t.len() == 1 && self.src.text(t.start) == b"32");
            if by_32 {
                let number = Some(32);
                return Value {
                    kind: Kind::Width,
                    number,
                    ..DATA
                };
            }
        }
        if words::is_barrier(name) {
            self.chain = None;
            if name == "__syncthreads" {
                if let Some(at) = self.leaves.take() {
                    let barrier = self.body.arena.get(id).tokens.clone();
                    self.event(What::EarlyReturn, at, Some(barrier), false);
                }
            }
        }
        if words::is_warp_op(name) {
            self.evidence = true;
            return self.warp_op(id, f, name, args, &values);
        }
        if words::is_bit_function(name) {
            if let Some(v) = values.first().filter(|v| v.kind == Kind::Mask) {
                let at = self.body.arena.get(id).tokens.clone();
                self.event(What::Bits(name.to_string()), at, v.origin(), false);
                if matches!(name, "__ffs" | "__clz") {
                    return Value::of(Kind::Data, 0);
                }
            }
            return Value::of(Kind::Data, deps);
        }
        if name == "dim3" {
            return self.sized(args);
        }
        if let ("min" | "max", [a, b]) = (name, values.as_slice()) {
            let pick = if a.kind >= b.kind { *a } else { *b };
            let number = a
                .number
                .zip(b.number)
                .map(|(a, b)| if name == "min" { a.min(b) } else { a.max(b) });
            return Value {
                number,
                x: None,
                ..pick
            };
        }
        if let Some(first) = values.first() {
            // A macro of the user's own around a mask operation.
            if full(*first) && words::is_barrier(name) && words::is_warp(name) {
                let at = self.body.arena.get(args[0]).tokens.clone();
                self.event(What::FullMask, at, None, false);
            }
        }
        if let Some(kind) = self.facts.returns(name) {
            return Value::of(kind, deps_of(kind));
        }
        Value::of(Kind::Data, deps)
    }

    fn warp_op(&mut self, id: Id, f: Id, name: &str, args: &[Id], values: &[Value]) -> Value {
        let masked = words::takes_mask(name);
        if masked {
            if let (Some(&a), Some(&v)) = (args.first(), values.first()) {
                if full(v) {
                    let at = self.body.arena.get(a).tokens.clone();
                    if self.lane_branch > 0 && !self.src.tokens[at.start].in_directive {
                        let call = self.body.arena.get(id).tokens.clone();
                        self.event(What::Divergent(name.to_string()), call, None, false);
                    }
                    // A name's definition is reported where it stands.
                    if !matches!(self.body.arena.node(a), Node::Name(_)) {
                        self.event(What::FullMask, at, None, false);
                    }
                }
            }
        }
        if name.starts_with("__shfl") {
            let least = if masked { 4 } else { 3 };
            let implicit = args.len() < least;
            let hardware = args
                .get(least - 1)
                .is_some_and(|&w| matches!(self.body.arena.node(w), Node::Name(t) if self.src.text(*t) == b"warpSize"));
            if implicit || hardware {
                let at = self.body.arena.get(f).tokens.clone();
                self.event(What::ShuffleWidth(name.to_string()), at, None, false);
            }
            let from = values.get(least - 2);
            if matches!(name, "__shfl" | "__shfl_sync") && from.is_some_and(|v| v.is(31)) && implicit {
                let at = self.body.arena.get(args[least - 2]).tokens.clone();
                self.event(What::LastLane, at, None, false);
            }
            return DATA;
        }
        if words::gives_mask(name) {
            return Value::of(Kind::Mask, 0);
        }
        DATA
    }

    /// Whether the function is named for a lane or a warp.
    pub fn is_named(&self) -> bool {
        self.is_lane_named
    }
}

fn keep(v: Value) -> Value {
    Value { x: None, ..v }
}

fn full(v: Value) -> bool {
    matches!(v.number, Some(0xffff_ffff | -1))
}

fn deps_of(kind: Kind) -> u8 {
    match kind {
        Kind::Lane | Kind::Mask => LANE,
        Kind::Warp => WARP,
        Kind::Thread => X,
        _ => 0,
    }
}

/// Folds with C's arithmetic; nothing on division by zero or overflow.
pub fn fold(op: Op, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        Op::Mul => a.checked_mul(b)?,
        Op::Div => a.checked_div(b)?,
        Op::Rem => a.checked_rem(b)?,
        Op::Add => a.checked_add(b)?,
        Op::Sub => a.checked_sub(b)?,
        Op::Shl if (0..63).contains(&b) => a.checked_mul(1i64 << b)?,
        Op::Shr if (0..63).contains(&b) => a >> b,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        _ => return None,
    })
}

/// Whether a type's tokens are an integer of 32 bits.
fn narrow(src: &Source, ty: &Range<usize>) -> bool {
    let mut int = false;
    let mut wide = false;
    for i in ty.clone() {
        match src.str(i) {
            "int" | "unsigned" | "uint" | "uint32_t" | "int32_t" | "u32" => int = true,
            "long" | "uint64_t" | "int64_t" | "size_t" | "template" => wide = true,
            _ => {}
        }
    }
    int && !wide
}

/// The template arguments of a name at a token, if it has any.
pub fn template_arguments(src: &Source, name: usize) -> Option<Vec<Range<usize>>> {
    let open = name + 1;
    src.tokens.get(open).filter(|t| t.is(b'<'))?;
    let close = args::template_close(src, open, src.tokens.len().min(open + 200))?;
    Some(args::split(src, open + 1..close))
}
