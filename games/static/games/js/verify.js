/* Checks a game from nothing but its export (callbreak-game/1), here in the browser: the third implementation, after the engine
   and callbreak_verify.py, and it shares no code with either. What it says of each check is what that program says, word for
   word. It asks the site for one thing, the export, and the browser for hashes (SubtleCrypto).

   `verify(text)` answers with [[isWell, "check: words"], ...], a pair for each check. Whatever a forged export leads to, it
   raises nothing. While a round runs its seed is sealed: its cards are checked as far as the cards played tell. */

const CARDS = [..."CDHS"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));
const HEIGHT = new Map(CARDS.map((card, height) => [card, height])); // compared within a suit only
const SEATS = [0, 1, 2, 3];
const NUMBERS = ["round", "attempt", "turn", "seat", "bid"];
const FIELDS = ["v", "game", "seq", "kind", ...NUMBERS, "card", "by", "minute", "data", "hash"];
const RULES = [
  "name", "min_bid", "max_bid", "rounds", "target", "max_rounds", "score_scale", "must_beat", "must_beat_after_trump",
  "must_trump", "must_trump_low", "redeal_no_spades", "redeal_no_faces", "redeal_bids_below", "redeal_bids_limit",
  "instant_win_bid", "direction", "sealed_bids", "parallel_rounds",
];
const SWITCHES = ["must_", "redeal_no_", "sealed_", "parallel_"];
// The check that speaks of an event; of those that are not named here, that of the seats.
const CHECKS = new Map([
  ["dealt", "deals"], ["revealed", "deals"], ["thrown_in", "redeals"], ["sealed", "bids"], ["bid", "bids"],
  ["played", "plays"], ["claimed", "plays"], ["ruled", "result"],
]);
const DECISIONS = ["dealt", "thrown_in", "sealed", "bid", "played", "claimed"];
// The first two change nothing: they may be made of a cancelled game too.
const RULINGS = ["dismiss", "uphold_play", "restore_clock", "replace_seat", "void_round", "adjust_score", "cancel_game"];

function need(claim, otherwise) {
  if (!claim) throw new Error(otherwise);
}

/* What stands in the file. To ask for a field that is not there is an error, as it should be with a forgery. */
const read = (text) => JSON.parse(text, (_, value) => (isObject(value) ? new Proxy(value, STRICT) : value));
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const STRICT = {
  get(object, field) {
    need(Object.hasOwn(object, field), `${String(field)} is missing`);
    return object[field];
  },
};
const has = (object, fields) => isObject(object) && sameSet(Object.keys(object), fields);
const sameSet = (some, others) => some.length === others.length && others.every((each) => some.includes(each));
const same = (one, other) => encode(one) === encode(other);
const list = (values) => `[${values.join(", ")}]`;
const count = (tally, kind) => tally.get(kind) ?? 0;

/* The one spelling of a value that is hashed: keys in the order of their bytes, no spaces. */
function encode(value) {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") {
    need(value.isWellFormed(), "there is half a character");
    return JSON.stringify(value);
  }
  if (typeof value === "number") {
    need(Number.isSafeInteger(value), `${value} is not read alike everywhere`);
    return String(value);
  }
  if (Array.isArray(value)) return `[${value.map(encode).join(",")}]`;
  need(isObject(value), "something is missing");
  const fields = Object.keys(value).sort(byBytes);
  return `{${fields.map((field) => `${encode(field)}:${encode(value[field])}`).join(",")}}`;
}
const byBytes = (one, other) => {
  const [a, b] = [Array.from(one, (c) => c.codePointAt(0)), Array.from(other, (c) => c.codePointAt(0))];
  const place = a.findIndex((point, i) => point !== b[i]);
  return place < 0 ? a.length - b.length : a[place] - (b[place] ?? -1);
};

/* Bytes and hashes. */

const utf8 = (text) => new TextEncoder().encode(text);
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const u8 = (number) => Uint8Array.of(number);
const u16 = (number) => Uint8Array.of(number >> 8, number & 255);
const u32 = (number) => Uint8Array.of(number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255);
const lp = (part) => join(u32(part.length), part);
function join(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
function raw(text) {
  need(typeof text === "string" && /^[0-9a-f]{64}$/.test(text), "these are no 32 bytes in hex");
  return Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
}
function unpadded(text) {
  need(typeof text === "string" && /^[A-Za-z0-9_-]*$/.test(text), "that is no base64url");
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
}
const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", join(...parts)));
const DEAL = utf8("callbreak-deal/1");
const tagged = (label, game, ...parts) => sha256(...[DEAL, utf8(label), utf8(game), ...parts].map(lp));
async function hkdf(secret, salt, info) {
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  return new Uint8Array(await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, key, 256));
}

/* Deals. */

async function roundKey(game, seed, given, r) {
  const info = join(lp(DEAL), lp(utf8("round")), lp(utf8(game)), u16(r));
  return hkdf(seed, await tagged("contrib", game, ...given), info);
}

/* The hex of what a hand or a bid was committed to with. */
async function commitment(what, game, key, r, attempt, seat, value) {
  const salt = await hkdf(key, new Uint8Array(), join(lp(utf8(`${what}salt`)), u16(attempt), u8(seat)));
  return hex(await tagged(what, game, u16(r), u16(attempt), u8(seat), salt, value));
}

/* A number below each of `sizes`, all equally likely: words that would favour some are passed over. */
async function draws(secret, label, attempt, sizes) {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const drawn = [];
  for (let counter = 0; drawn.length < sizes.length; counter += 1) {
    const message = join(lp(utf8(label)), u16(attempt), u32(0), u32(counter));
    const block = new DataView(await crypto.subtle.sign("HMAC", key, message));
    for (let at = 0; at < 32 && drawn.length < sizes.length; at += 4) {
      const [word, size] = [block.getUint32(at), sizes[drawn.length]];
      if (word < 2 ** 32 - (2 ** 32 % size)) drawn.push(word % size);
    }
  }
  return drawn;
}
async function shuffled(key, attempt) {
  const deck = [...CARDS];
  const drawn = await draws(key, "deck", attempt, Array.from({ length: 51 }, (_, i) => 52 - i));
  drawn.forEach((j, place) => {
    const i = 51 - place;
    [deck[i], deck[j]] = [deck[j], deck[i]];
  });
  return deck;
}
const dealtHands = (deck) =>
  SEATS.map((seat) => deck.slice(13 * seat, 13 * seat + 13).sort((a, b) => HEIGHT.get(a) - HEIGHT.get(b)));

/* Rules. */

/* A number written as text would be compared as a number. */
function checkForm(rules) {
  for (const field of RULES.filter((each) => !["name", "direction"].includes(each))) {
    const isSwitch = SWITCHES.some((each) => field.startsWith(each));
    const fits = isSwitch ? typeof rules[field] === "boolean" : rules[field] === null || Number.isSafeInteger(rules[field]);
    need(fits, `the rule ${field} has another form`);
  }
}

function checkBid(rules, bid) {
  need(Number.isInteger(bid) && rules.min_bid <= bid && bid <= rules.max_bid, `a bid of ${bid} is out of range`);
}

/* The cards that may be played. A card illegal among some cards of a hand is illegal among all of them. */
function legal(rules, hand, trick) {
  if (!trick.length) return hand;
  const led = trick[0][1];
  const trump = Math.max(-1, ...trick.filter((card) => card[1] === "S").map((card) => HEIGHT.get(card)));
  const following = hand.filter((card) => card[1] === led);
  if (following.length) {
    if (!rules.must_beat || (led !== "S" && trump >= 0 && !rules.must_beat_after_trump)) return following;
    const best = Math.max(...trick.filter((card) => card[1] === led).map((card) => HEIGHT.get(card)));
    const beating = following.filter((card) => HEIGHT.get(card) > best);
    return beating.length ? beating : following;
  }
  const spades = rules.must_trump ? hand.filter((card) => card[1] === "S") : [];
  const over = spades.filter((card) => HEIGHT.get(card) > trump);
  if (over.length) return over;
  return rules.must_trump_low && spades.length ? spades : hand;
}
function trickWinner(trick) {
  const beats = (one, other) =>
    one[1] === other[1] ? HEIGHT.get(one) > HEIGHT.get(other) : one[1] === "S" || (one[1] === trick[0][1] && other[1] !== "S");
  return trick.reduce((best, card, place) => (beats(card, trick[best]) ? place : best), 0);
}

/* Whether the leader takes all the rest: no unseen card beats one of its suit, and no unseen spade can ruff. */
function provesClaim(hand, played) {
  const unseen = CARDS.filter((card) => !played.includes(card) && !hand.includes(card));
  const [mine, others] = [hand, unseen].map((cards) => cards.filter((card) => card[1] === "S").length);
  const isBeaten = hand.some((a) => unseen.some((b) => a[1] === b[1] && HEIGHT.get(a) < HEIGHT.get(b)));
  return (others <= mine || mine === hand.length) && !isBeaten;
}
function redeal(rules, hands) {
  const lacks = (marks) => hands.some((hand) => !hand.some((card) => marks.includes(card[0]) || marks.includes(card[1])));
  if (rules.redeal_no_spades && lacks("S")) return "no_spades";
  return rules.redeal_no_faces && lacks("JQK") ? "no_faces" : null;
}
function redealAfterBids(rules, bids, used) {
  const sum = bids.reduce((total, bid) => total + bid, 0);
  return sum < (rules.redeal_bids_below ?? 0) && used < rules.redeal_bids_limit ? "low_bids" : null;
}

/* How a match stands after these rounds, each [bids, won]. Void rounds count as played, `adjusted` is what rulings added, while a
   round is running no match is over, and once the last key was dealt with every match is. */
function standingOf(rules, results, { voided = 0, adjusted = null, running = false, lastKey = false } = {}) {
  const isAlone = adjusted === null && results.length > 1;
  need(!isAlone || standingOf(rules, results.slice(0, -1)).reason === null, "no such round can be: the match was over");
  const totals = [...(adjusted ?? [0, 0, 0, 0])];
  let best = null;
  for (const [bids, won] of results) {
    const isWhole = bids.length === 4 && won.length === 4 && won.reduce((sum, each) => sum + each, 0) === 13;
    need(isWhole && Math.min(...won) >= 0, "no such round can be");
    for (const seat of SEATS) {
      checkBid(rules, bids[seat]);
      totals[seat] += won[seat] >= bids[seat] ? 9 * bids[seat] + won[seat] : -10 * bids[seat];
    }
    best ??= SEATS.find((seat) => won[seat] >= bids[seat] && bids[seat] >= (rules.instant_win_bid || 14)) ?? null;
  }
  const done = results.length + voided;
  let reason = null;
  if (running) reason = null;
  else if (best !== null) reason = "instant_win";
  else if (Math.max(...totals) >= (rules.target || 10 ** 9)) reason = "target";
  else if (done >= (rules.rounds || 999)) reason = "rounds";
  else if (done >= (rules.max_rounds || 128) || lastKey) reason = "round_limit";
  const isAhead = (a, b) => (a === best) !== (b === best) ? a === best : totals[a] > totals[b];
  const ranks = SEATS.map((seat) => 1 + SEATS.filter((other) => isAhead(other, seat)).length);
  const winners = SEATS.filter((seat) => reason !== null && ranks[seat] === 1);
  return { reason, winners, totals, ranks };
}

const seedsOf = (game) =>
  game.events.filter((e) => e.kind === "revealed").map((e) => [e.data.key, raw(e.data.s)]);

/* The log played through: `step` raises at the first event that may not be. */
class Replay {
  constructor(game) {
    Object.assign(this, { id: game.game, rules: game.rules, log: game.events, seeds: seedsOf(game) });
    checkForm(this.rules);
    this.given = new Map(); // by seat, in the order in which they sat down
    this.early = new Set();
    this.moved = new Set(); // the seats that a substitute took over
    this.secrets = new Map(); // the keys of the rounds whose seed is revealed
    this.keys = []; // the rounds of key 1, 2, ...
    this.closed = new Set(); // the keys whose round is over
    this.shown = 0;
    this.rounds = new Map(); // as `play`, or null once it is over
    this.waits = new Map();
    this.results = new Map(); // [bids, won], or null of a void round
    this.next = new Map(); // of each round, its next attempt and turn: over a replay both go on counting
    this.adjusted = [0, 0, 0, 0];
    this.cancelled = 0; // the event that cancelled the game
    this.tally = new Map();
    this.standing = standingOf(this.rules, []);
  }

  async step(e) {
    const { kind, round: number, seat, data } = e;
    const begun = count(this.tally, "started");
    if (kind === "joined") {
      need(SEATS.includes(seat) && !this.given.has(seat) && !begun, "that seat is not free");
      const given = data.contribution;
      need(unpadded(given).length <= 64 && (e.by === "player" || !given), "nobody may give that");
      this.given.set(seat, given);
      if (data.anchor_seen === true) this.early.delete(seat);
      else this.early.add(seat);
    } else if (kind === "left") {
      need(!begun && this.given.delete(seat), "nobody could leave");
    } else if (kind === "started") {
      await this.start();
    } else if (DECISIONS.includes(kind)) {
      await this.goOn(e);
    } else if (kind === "revealed") {
      this.shown += 1;
      const isDue = data.key === this.shown && this.closed.has(this.shown) && this.keys[this.shown - 1] === number;
      need(isDue && has(data, ["key", "s"]), "that seed is not due");
    } else if (kind === "substituted") {
      this.checkSubstitute(e);
      this.moved.add(seat);
    } else if (kind === "cancelled") {
      this.cancelled ||= e.seq;
    } else if (kind === "ruled") {
      await this.rule(e);
    }
    this.tally.set(kind, count(this.tally, kind) + 1);
  }

  async start() {
    need(!count(this.tally, "started") && this.given.size === 4, "no match can begin");
    const given = SEATS.map((seat) => unpadded(this.given.get(seat)));
    for (const [key, seed] of this.seeds) this.secrets.set(key, await roundKey(this.id, seed, given, key));
    if (this.secrets.size) {
      [this.first] = await draws(this.secrets.get(1), "dealer", 0, [4]);
    } else {
      this.first = this.log.find((line) => line.kind === "dealt")?.data.dealer ?? 0;
    }
  }

  hasEnded() {
    const { tally } = this;
    return this.standing.reason || count(tally, "abandoned") || this.cancelled || !count(tally, "started");
  }

  /* A seat is to be had whose time ran out twice running, and whose person has done nothing since, for seven days. */
  checkSubstitute(e) {
    const quiet = ["stood_in", "returned", this.rules.sealed_bids ? "bid" : ""]; // with a round: the autopilot, a bid of before
    const acts = (line) => line.by === "clock" || (line.by === "player" && !(line.round && quiet.includes(line.kind)));
    const lines = this.log.slice(0, e.seq - 1).filter((line) => line.seat === e.seat && acts(line));
    const came = lines.findLastIndex((line) => line.by === "player");
    const second = lines[came + 2];
    const waited = came >= 0 && second && Date.parse(e.minute) - Date.parse(second.minute) >= 7 * 24 * 3600 * 1000;
    need(!this.hasEnded() && has(e.data, []) && e.by === "player" && waited, "that seat is not to be had");
  }

  async goOn(e) {
    const { kind, round: number } = e;
    const { tally, rules } = this;
    need(!this.hasEnded() && !this.closed.has(this.shown + 1), "the match is not going on, or a seed is due to be revealed first");
    need(Number.isInteger(number), "that is of no round");
    if (kind === "dealt" && !this.rounds.has(number)) {
      const atStart = number <= (rules.rounds ?? 0) && !(count(tally, "bid") + count(tally, "sealed"));
      need(rules.parallel_rounds ? atStart : this.closed.size === this.keys.length, "no round is due");
      await this.open(number);
    }
    const isPlayed = number >= 1 && number <= this.rounds.size && this.rounds.get(number);
    need(isPlayed, `round ${number} is not played now`);
    const { done, value } = await this.rounds.get(number).next(e);
    if (done) {
      this.close(number, value);
      this.judge();
    } else this.waits.set(number, value);
  }

  async open(number) {
    if (!this.next.has(number)) this.next.set(number, { attempt: 0, turn: 0 });
    this.rounds.set(number, this.play(number, this.keys.push(number)));
    await this.rounds.get(number).next();
  }

  /* A ruling adds to what was: a round is void, and replayed or not; units are added; a game is cancelled, or let go on. */
  async rule({ seq, round: number, data }) {
    const { ruling } = data;
    const said = (field, otherwise) => (Object.hasOwn(data, field) ? data[field] : otherwise);
    const [lifts, deltas, replay] = [Object.hasOwn(data, "lifts"), said("deltas", [0, 0, 0, 0]), said("replay", true)];
    const fits = lifts ? data.lifts === this.cancelled : !this.cancelled || RULINGS.slice(0, 2).includes(ruling);
    need(RULINGS.includes(ruling) && fits && deltas.length === 4 && deltas.every(Number.isInteger), "nobody may rule so");
    if (ruling === "cancel_game") this.cancelled = seq;
    else if (lifts) this.cancelled = 0;
    this.adjusted = this.adjusted.map((units, seat) => units + deltas[seat]);
    if (ruling === "void_round") {
      need(this.rounds.has(number), "that round cannot be made void so");
      const may = replay
        ? this.keys.length < 128 && !count(this.tally, "abandoned")
        : this.rounds.get(number) || this.results.get(number);
      need(may, "that round cannot be made void so");
      this.close(number, null);
      if (replay) {
        await this.open(number);
        this.waits.set(number, false);
      }
    }
    this.judge();
  }

  close(number, result) {
    this.rounds.set(number, null);
    this.waits.set(number, true);
    this.results.set(number, result);
    this.keys.forEach((dealt, place) => dealt === number && this.closed.add(place + 1));
  }

  judge() {
    const numbers = [...this.results.keys()].sort((a, b) => a - b);
    const results = numbers.map((number) => this.results.get(number)).filter(Boolean);
    const running = [...this.rounds.values()].filter(Boolean).length;
    const voided = this.rounds.size - running - results.length;
    const rest = { voided, adjusted: this.adjusted, running: running > 0, lastKey: this.closed.has(128) };
    this.standing = standingOf(this.rules, results, rest);
  }

  /* A round: it is sent its events, and yields whether the next one is a decision (else it must follow at once). */
  async *play(number, key) {
    const { rules } = this;
    const next = this.next.get(number);
    const dealer = (this.first + number - 1) % 4;
    let low = 0;
    let e, bids, hands, secret, attempt, turn;
    for (;;) {
      e = yield false;
      ({ attempt, turn } = next);
      need(e.kind === "dealt" && e.attempt === attempt && key <= 128, "another deal is due");
      secret = this.secrets.get(key);
      let due, why;
      ({ due, hands, why } = await this.dealDue(e, key, secret));
      const fits = same(e.data, { key, dealer, commitments: due }) && due.length === 4;
      need(fits, "another key or dealer is due, or other hands than were committed to");
      bids = new Map();
      const sealed = new Map();
      next.attempt += 1;
      if (rules.sealed_bids && !why) next.turn += 4;
      while (!why && bids.size < 4) {
        e = yield sealed.size < 4;
        const { seat } = e;
        need(e.attempt === attempt && SEATS.includes(seat), "this is of another deal");
        if (rules.sealed_bids && sealed.size < 4) {
          need(e.kind === "sealed" && !sealed.has(seat) && e.turn === null, "a sealed bid is due");
          sealed.set(seat, hex(raw(e.data.commitment)));
          continue;
        }
        const place = (seat - dealer + 3) % 4;
        const isMine = e.kind === "bid" && (sealed.size ? seat : place) === bids.size && has(e.data, []);
        need(isMine && e.turn === turn + place, "a bid of another is due");
        checkBid(rules, e.bid);
        const made = sealed.size && secret && (await commitment("bid", this.id, secret, key, attempt, seat, u8(e.bid)));
        need(!made || made === sealed.get(seat), "another bid was sealed");
        bids.set(seat, e.bid);
        next.turn = Math.max(next.turn, turn + place + 1);
      }
      why ||= redealAfterBids(rules, [...bids.values()], low);
      if (!why) break;
      e = yield false;
      const isThrown = e.kind === "thrown_in" && same(e.data, { reason: why }) && e.attempt === attempt;
      need(isThrown, "the deal must be thrown in");
      low += why === "low_bids" ? 1 : 0;
    }
    let leader = (dealer + 1) % 4;
    const [won, down] = [[0, 0, 0, 0], []];
    const taken = () => won.reduce((sum, each) => sum + each, 0);
    while (taken() < 13) {
      e = yield true;
      const { seat, card } = e;
      const trick = down.slice(Math.floor(down.length / 4) * 4);
      const isMine = e.attempt === attempt && e.turn === next.turn && seat === (leader + trick.length) % 4;
      need(isMine && has(e.data, []), "a card of another deal or seat is due");
      next.turn += 1;
      if (e.kind === "claimed") {
        need(!trick.length && (!secret || provesClaim(hands[seat], down)), "the hand does not prove this claim");
        won[seat] += 13 - taken();
        continue;
      }
      const isHeld = e.kind === "played" && hands[seat].includes(card) && HEIGHT.has(card) && !down.includes(card);
      const isLegal = isHeld && legal(rules, hands[seat], trick).includes(card);
      need(isLegal, `seat ${seat} may not play ${card}, or does not hold it`);
      hands[seat].splice(hands[seat].indexOf(card), 1);
      down.push(card);
      if (trick.length === 3) {
        leader = (leader + trickWinner([...trick, card])) % 4;
        won[leader] += 1;
      }
    }
    return [SEATS.map((seat) => bids.get(seat)), won];
  }

  /* What this deal must commit to, the hands, and why it must be thrown in. Of a sealed deal: what is known of it, the cards
     that will be seen, and what is said of a deal that was thrown in. */
  async dealDue(e, key, secret) {
    if (secret) {
      const hands = dealtHands(await shuffled(secret, e.attempt));
      const due = [];
      for (const seat of SEATS) {
        due.push(await commitment("hand", this.id, secret, key, e.attempt, seat, utf8(hands[seat].join(""))));
      }
      return { due, hands, why: redeal(this.rules, hands) };
    }
    const here = this.log.filter((line) => line.round === e.round && line.attempt === e.attempt);
    const played = here.filter((line) => line.kind === "played");
    const hands = SEATS.map((seat) => played.filter((line) => line.seat === seat).map((line) => line.card));
    const said = here.find((line) => line.kind === "thrown_in")?.data.reason;
    const isRule = ["no_spades", "no_faces"].includes(said) && this.rules[`redeal_${said}`] === true;
    return { due: e.data.commitments.map((each) => hex(raw(each))), hands, why: isRule ? said : null };
  }

  /* What there is to say, by check. It raises if the log breaks off early or says otherwise than the export. */
  told(game) {
    const { tally, rounds, rules, standing } = this;
    let status = standing.reason || count(tally, "abandoned") ? "finished" : count(tally, "started") ? "playing" : "open";
    if (this.cancelled) status = "cancelled";
    need([status, "frozen"].includes(game.status), `by the log this game is ${status}`);
    const next = this.closed.size === this.keys.length ? 1 : 0;
    const due = rules.parallel_rounds ? rules.rounds : rounds.size + next;
    const halted = [...this.waits.values()].includes(false) || rounds.size < due;
    const isCut = this.closed.has(this.shown + 1) || (halted && status === "playing");
    need(!isCut, "the log was cut short: more must follow");
    const result = count(tally, "abandoned") ? { ...standing, reason: "abandoned", winners: [] } : standing;
    need(same(game.result, status === "finished" ? result : null), `by the log ${encode(result)}`);
    const gave = game.seats.map((each) => [each.seat, each.contribution]);
    need(same(gave, SEATS.map((seat) => [seat, this.given.get(seat) ?? ""])), "who gave what?");
    const name = (seat) => `seat ${seat} (${this.moved.has(seat) ? "now " : ""}${game.seats[seat].player ?? "None"})`;
    const gifts = [...this.given].filter(([, given]) => given);
    const last = gifts.length ? `${name(gifts.at(-1)[0])} contributed last` : "nobody contributed";
    const unseen = SEATS.filter((seat) => this.early.has(seat) && this.given.has(seat));
    const early = unseen.map((seat) => `${name(seat)} had not seen the anchor when sitting down`);
    const sealed = [...new Set(this.keys.slice(this.shown))].sort((a, b) => a - b);
    const so = "so what hangs on them cannot be checked yet";
    const yet = sealed.length ? `; the seeds of rounds ${list(sealed)} are sealed, ${so}` : "";
    return [
      ["seats", [last, ...early].join("; ")],
      ["deals", `${count(tally, "dealt")} of ${rounds.size} rounds${yet}`],
      ["redeals", `${count(tally, "thrown_in")}, and no other was due${yet}`],
      ["bids", `${count(tally, "bid")} made, ${count(tally, "sealed")} sealed`],
      ["plays", `${count(tally, "played")} cards, ${count(tally, "claimed")} claims${yet}`],
      ["result", `${status}, totals ${list(result.totals)}`],
    ];
  }
}

/* The checks that need no replay. Each answers with what there is to say, or raises. */

async function checkChain(game) {
  const tag = utf8("callbreak-event/1\n");
  let head = await sha256(tag, utf8("genesis\n"), utf8(game.game));
  for (const [place, e] of game.events.entries()) {
    const seq = place + 1;
    const fits = NUMBERS.every((field) => e[field] === null || (Number.isSafeInteger(e[field]) && e[field] >= 0));
    const isPlaced = e.v === 1 && e.game === game.game && e.seq === seq && has(e, FIELDS) && isObject(e.data);
    const says = (e.kind === "played") === (e.card !== null) && (e.kind === "bid") === (e.bid !== null);
    need(fits && isPlaced && says && (e.kind === "created") === (seq === 1), `event ${seq} has another form or place`);
    const record = Object.fromEntries(Object.entries(e).filter(([field]) => field !== "hash"));
    head = await sha256(tag, head, utf8(encode(record)));
    need(e.hash === hex(head), `event ${seq} was changed, or one before it`);
  }
  need(same(game.head, { seq: game.events.length, hash: hex(head) }), "the head is that of another log");
  return `${game.events.length} events, each tied to those before it, up to ${hex(head)}`;
}
async function checkRules(game) {
  const { rules } = game;
  const made = game.events[0].data;
  need(has(rules, RULES) && (rules.rounds || rules.target), "they are not those that this program knows");
  const digest = hex(await sha256(utf8(encode(rules))));
  const isSame = same(made.rules, rules) && made.rules_sha256 === digest && game.rules_sha256 === digest;
  need(isSame, "they were changed");
  return `${rules.name}, sha256 ${digest}`;
}
async function checkAnchor(game) {
  let below = raw(game.anchor);
  need(game.events[0].data.anchor === game.anchor, "the table was made with another one");
  const seeds = seedsOf(game);
  for (const [place, [key, seed]] of seeds.entries()) {
    const leads = key === place + 1 && hex(await tagged("link", game.game, u16(key), seed)) === hex(below);
    need(leads, `seed ${key} does not lead back to it`);
    below = seed;
  }
  return `${seeds.length} seeds lead back to it`;
}

async function verify(text) {
  const lines = [];
  let game;
  try {
    game = read(text);
    need(isObject(game) && game.format === "callbreak-game/1", "it is not in the format callbreak-game/1");
  } catch (error) {
    return [[false, `export: ${error.message}`]];
  }
  for (const [name, ask] of [["chain", checkChain], ["rules", checkRules], ["anchor", checkAnchor]]) {
    try {
      lines.push([true, `${name}: ${await ask(game)}`]);
    } catch (error) {
      lines.push([false, `${name}: ${error.message}`]);
    }
  }
  let [where, name] = ["", "seats"];
  try {
    const replay = new Replay(game);
    for (const e of game.events) {
      [where, name] = [`event ${e.seq} (${e.kind}): `, CHECKS.get(e.kind) ?? "seats"];
      await replay.step(e);
    }
    [where, name] = ["", "result"];
    for (const [check, words] of replay.told(game)) lines.push([true, `${check}: ${words}`]);
  } catch (error) {
    lines.push([false, `${name}: ${where}${error.message}; what follows from it was not checked`]);
  }
  return lines;
}

/* The page: it holds a line for each check, waiting, and the sentences for what came of it. */

async function check(page) {
  const verdict = page.querySelector("#verdict");
  let text;
  try {
    const answer = await fetch(page.dataset.export, { credentials: "same-origin" });
    need(answer.ok, answer.status);
    text = await answer.text();
  } catch {
    verdict.textContent = page.dataset.unread;
    return;
  }
  const lines = await verify(text);
  for (const row of page.querySelectorAll("[data-check]")) {
    const line = lines.find(([, words]) => words.startsWith(`${row.dataset.check}:`));
    row.classList.toggle("check--ok", line?.[0] === true);
    row.classList.toggle("check--bad", line?.[0] === false);
    row.querySelector(".check__mark").textContent = line ? page.dataset[line[0] ? "ok" : "bad"] : page.dataset.open;
    row.querySelector(".check__words").textContent = line ? line[1].slice(row.dataset.check.length + 2) : "";
  }
  const isWell = lines.every(([each]) => each);
  verdict.classList.add(isWell ? "note--ok" : "note--warn");
  verdict.textContent = isWell ? page.dataset.allWell : page.dataset.notWell;
  page.dataset.done = isWell ? "ok" : "bad";
}
check(document.getElementById("verify"));
