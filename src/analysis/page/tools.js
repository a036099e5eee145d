// Small helpers: elements, numbers and texts.

/** An element of HTML with attributes and children. */
function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An element of SVG. */
function drawing(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value != null) node.setAttribute(key, value);
  }
  node.append(...children.flat().filter((child) => child != null && child !== false));
  return node;
}

/** A text of the file without marks and controls of the direction, which would turn what stands around it. */
function plain(text) {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

/** Whether a text has letters of a script from right to left. */
function isRightToLeft(text) {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(text);
}

/** A text of the file with a direction of its own, where there are no elements. */
function isolated(text) {
  return isRightToLeft(text) ? `\u2068${plain(text)}\u2069` : plain(text);
}

/** A text of the file with a direction of its own. */
function bdi(text, attributes = {}) {
  return element("bdi", attributes, plain(text));
}

/** The text with its signs of per cent on the line of their numbers. */
function unbroken(text) {
  return text.replace(/(\d) %/g, "$1\u00a0%");
}

/** Per mille as per cent. */
function percent(perMille) {
  return `${Math.round(perMille / 10)}\u00a0%`;
}

/** Expected points, to two digits. */
function points(number) {
  return number.toFixed(2);
}

/** A number with a noun: 1 move, 2 moves. */
function counted(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Expected points of White. */
function expected([win, draw]) {
  return (win + draw / 2) / 1000;
}

/** An evaluation in pawns, or a mate, as chess programs write it. */
function evaluation(position) {
  if (position.mate != null) return position.mate === 0 ? "mate" : `#${position.mate}`.replace("-", "−");
  const pawns = position.eval / 100;
  return (pawns > 0 ? "+" : pawns < 0 ? "−" : "") + Math.abs(pawns).toFixed(2);
}

/** An evaluation in words, with its depth where that says something. */
function evaluationText(position) {
  if (position.mate === 0) return "Checkmate";
  if (position.mate != null) return `${position.mate > 0 ? "White" : "Black"} mates in ${Math.abs(position.mate)}`;
  return position.depth === 0 ? "The game is drawn" : `${evaluation(position)} at depth ${position.depth}`;
}

/** Hundredths of a second as a clock shows them. */
function clockText(hundredths) {
  const seconds = Math.floor(hundredths / 100);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  return [Math.floor(seconds / 3600), ...parts].join(":");
}

/** Hundredths of a second in words. */
function durationText(hundredths) {
  const seconds = hundredths / 100;
  if (seconds < 60) return `${seconds < 10 && seconds % 1 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  return minutes < 60 ? `${minutes} min ${Math.round(seconds) % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Win, draw and loss, per mille, as whole per cent that sum to 100. */
function perCents([win, draw, loss]) {
  const draws = Math.round(draw / 10);
  const wins = Math.min(100 - draws, Math.max(0, Math.round((100 - draws + (win - loss) / 10) / 2)));
  return [wins, draws, 100 - draws - wins];
}

/** Win, draw and loss in words. */
function chancesText(wdl) {
  const [win, draw, loss] = perCents(wdl);
  return unbroken(`White ${win} %, draw ${draw} %, Black ${loss} %`);
}

/** Scrolls a list so that an element of it is seen, or to its start. */
function keepInView(list, current) {
  list.scrollTop = current ? current.offsetTop - list.clientHeight / 2 : 0;
}

/** A bar of three parts, lying. */
function chancesBar(wdl) {
  const part = (share, name) => element("span", { class: name, style: `flex-grow:${share}` });
  const parts = [part(wdl[0], "win"), part(wdl[1], "draw"), part(wdl[2], "loss")];
  return element("span", { class: "lying", role: "img", "aria-label": chancesText(wdl), title: chancesText(wdl) }, parts);
}
