/* The table, made quicker: news without a reload, a press without a new page, keys for the hand.
   Every form and link works without this. It knows no rule: what may be played is what the page says. */

const AT_ONCE = 300;
const QUICK = 2000;
const SLOW = 30000;

const holder = document.getElementById("table");
const announcer = document.getElementById("announce");
let wait = QUICK;
let timer = 0;
let movedAt = 0;
let busy = false;

const state = () => holder.querySelector(".table-state");
const hand = () => holder.querySelector("#hand");
const chosen = () => {
  const form = hand()?.elements;
  return form?.picked.value ? `&pick=${form.picked.value}&turn=${form.turn.value}` : "";
};
const isField = (element) => element.matches("input:not([type=hidden]), select, textarea");

/* Fresh insides take the old ones' place. Focus, scroll, open folds and what is being typed stay as they were.
   What changed is told once; `tell` may have other words for it. False if `html` is no table. */
function show(html, { own = false, tell = (told) => told } = {}) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const next = fresh.content.querySelector(".table-state");
  if (!next) return false;
  const before = state();
  const told = news(before.dataset, next.dataset);
  const focused = holder.contains(document.activeElement) ? document.activeElement : null;
  const [x, y] = [window.scrollX, window.scrollY];
  for (const fold of before.querySelectorAll("details[id]")) {
    const twin = next.querySelector(`details#${fold.id}`);
    if (!twin) continue;
    if (twin.hasAttribute("data-keep")) twin.replaceWith(fold.cloneNode(true));
    else twin.open = fold.open;
  }
  for (const field of before.querySelectorAll("[data-random]")) {
    const twin = next.querySelector(`#${field.id}`);
    if (twin) twin.value = field.value;
  }
  before.replaceWith(next);
  document.title = next.dataset.title;
  document.getElementById("head-seq").textContent = next.dataset.seq;
  document.getElementById("head-hash").textContent = next.dataset.head;
  dress();
  if (own) next.querySelector("#turn")?.focus({ preventScroll: true });
  else if (focused) (twinOf(focused) ?? next.querySelector("#turn"))?.focus({ preventScroll: true });
  window.scrollTo(x, y);
  announce(tell(told));
  return true;
}

/* What was played since, in order, and what is so now: only what was not told before. */
function news(before, next) {
  const [old, fresh] = [before.events, next.events].map((lines) => lines.split("\n").filter(Boolean));
  let heard = Math.min(old.length, fresh.length);
  while (old.slice(old.length - heard).join("\n") !== fresh.slice(0, heard).join("\n")) heard -= 1;
  const unheard = fresh.slice(heard);
  if (next.announce !== before.announce) unheard.push(next.announce);
  return unheard.join(" ");
}

/* One change of the live region for each piece of news; a refusal that is repeated is said again. */
function announce(words) {
  if (words) announcer.replaceChildren(words);
}

function twinOf(element) {
  if (element.id) return holder.querySelector(`#${CSS.escape(element.id)}`);
  if (element.name && element.value) {
    return holder.querySelector(`[name="${element.name}"][value="${CSS.escape(element.value)}"]`);
  }
  const fold = element.closest("details[id]");
  return fold && holder.querySelector(`#${fold.id} > summary`);
}

/* News */

function later() {
  clearTimeout(timer);
  if (document.hidden || state().dataset.moves === "no") return;
  timer = setTimeout(ask, wait);
}

async function ask() {
  if (busy) return later();
  const asked = state();
  try {
    const answer = await fetch(asked.dataset.poll + asked.dataset.v + chosen(), { credentials: "same-origin", headers: { "X-Poll": "1" } });
    if (answer.status === 200) {
      const html = await answer.text();
      await released();
      if (!busy && state() === asked) take(html);
      wait = pause();
    } else {
      wait = Math.min(SLOW, wait * 1.3);
    }
  } catch {
    wait = Math.min(SLOW, wait * 2);
  }
  later();
}

/* A card that was chosen and not played yet stays chosen while it is the same decision: the address says which. */
function take(html, tell = (told) => told) {
  const before = chosen();
  const dropped = () => before && !chosen();
  show(html, { tell: (told) => (dropped() ? `${announcer.dataset.dropped} ${told}` : tell(told)) });
  if (dropped()) forget();
}

function soon() {
  wait = QUICK;
  clearTimeout(timer);
  if (!document.hidden && state().dataset.moves !== "no") ask();
}

document.addEventListener("visibilitychange", soon);
window.addEventListener("focus", soon);

/* Presses. A button that is replaced between finger down and finger up would never be pressed: news wait so long. */

let held = false;
document.addEventListener("pointerdown", () => { held = true; });
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => setTimeout(() => { held = false; }));
}

async function released() {
  while (held) await new Promise(requestAnimationFrame);
}

holder.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.hasAttribute("data-quick")) return;
  event.preventDefault();
  const button = event.submitter;
  if (busy || !button) return;
  if (form.hasAttribute("data-ask") && button.name === "card" && form.elements.picked.value !== button.value) {
    pick(button);
    return;
  }
  await send(form, button);
});

async function send(form, button) {
  busy = true;
  const body = new FormData(form, button);
  if (button.name === "card") body.set("picked", button.value);
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body,
      credentials: "same-origin",
      headers: { "X-Fragment": "1" },
    });
    const html = await answer.text();
    const refused = answer.status !== 200;
    const tell = (told) => told || state().dataset.announce;
    if (!show(html, { own: !refused, tell })) location.assign(location.pathname);
    if (refused) {
      twinOf(button)?.focus({ preventScroll: true });
      forget();
    } else {
      history.replaceState(null, "", location.pathname);
    }
  } catch {
    // No answer: let the browser send it, and say itself what is wrong.
    const plain = document.createElement("input");
    plain.type = "hidden";
    plain.name = button.name;
    plain.value = button.value;
    form.append(plain);
    form.submit();
  } finally {
    busy = false;
    movedAt = Date.now();
    wait = pause();
    later();
  }
}

/* For some seconds after a move of mine, bots answer at once: whoever just played is looking. */
function pause() {
  return Date.now() - movedAt < 5 * QUICK ? AT_ONCE : QUICK;
}

/* Choosing before playing */

async function pick(button) {
  const form = hand();
  unpick(form);
  if (button.getAttribute("aria-disabled") === "true") {
    send(form, button);
    return;
  }
  button.classList.add("picked");
  button.querySelector(".why").textContent = form.dataset.ask;
  form.elements.picked.value = button.value;
  remember(button.value, form.elements.turn.value);
  // The buttons that play it come with the page.
  const asked = state();
  const answer = await fetch(`${asked.dataset.poll}0${chosen()}`, { credentials: "same-origin" }).catch(() => null);
  if (answer?.status !== 200) return;
  const html = await answer.text();
  await released();
  // While a move is on its way, its own answer is the newest.
  if (!busy && state() === asked) take(html, (told) => holder.querySelector("#hand .picked .sr")?.textContent ?? told);
}

function unpick(form) {
  for (const other of form.querySelectorAll(".hand__cards .picked")) {
    other.classList.remove("picked");
    other.querySelector(".why").textContent = "";
  }
}

function remember(card, turn) {
  const url = new URL(location.href);
  url.searchParams.set("pick", card);
  url.searchParams.set("turn", turn);
  history.replaceState(null, "", url);
}

function forget() {
  const url = new URL(location.href);
  if (!url.searchParams.has("pick")) return;
  url.searchParams.delete("pick");
  url.searchParams.delete("turn");
  history.replaceState(null, "", url);
}

function letGo() {
  const form = hand();
  if (!form) return;
  unpick(form);
  form.elements.picked.value = "";
  for (const play of holder.querySelectorAll(".playrow, .thumb [form=hand]")) play.remove();
  forget();
}

/* Copying an invitation. */

holder.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
  announce((button.textContent = button.dataset.copied));
});

/* Keys: Tab reaches the hand once, arrows move in it. */

function dress() {
  const cards = [...holder.querySelectorAll(".hand__cards button")];
  const first = cards.find((card) => card.classList.contains("picked")) ?? cards.find((card) => !card.classList.contains("no"));
  for (const card of cards) card.tabIndex = card === (first ?? cards[0]) ? 0 : -1;
  // A browser has a clipboard to offer only over https, or at home.
  if (navigator.clipboard) for (const button of holder.querySelectorAll("[data-copy]")) button.hidden = false;
  const field = holder.querySelector("[data-random]");
  if (field && !field.value) {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    field.value = btoa(String.fromCharCode(...bytes));
  }
}

holder.addEventListener("keydown", (event) => {
  const card = event.target.closest(".hand__cards button");
  if (!card || event.altKey || event.ctrlKey || event.metaKey) return;
  const cards = [...card.parentElement.children];
  const at = cards.indexOf(card);
  const goal = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: cards.length - 1 }[event.key];
  if (goal === undefined || !cards[goal]) return;
  event.preventDefault();
  card.tabIndex = -1;
  cards[goal].tabIndex = 0;
  cards[goal].focus();
});

document.addEventListener("keydown", (event) => {
  // Wherever the focus is: a fragment that came in may just have taken it away.
  if (event.key === "Escape") letGo();
  if (event.altKey || event.ctrlKey || event.metaKey || isField(event.target)) return;
  if (event.key === "n") document.querySelector("a[href^='/next/']")?.click();
  if (event.key === "t") {
    const tricks = document.getElementById("tricks");
    if (!tricks) return;
    tricks.open = true;
    (tricks.querySelector("summary") ?? tricks).focus();
  }
});

dress();
later();
