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

/** Per mille as per cent. */
function percent(perMille) {
  return `${Math.round(perMille / 10)} %`;
}

/** Expected points, to two digits. */
function points(number) {
  return number.toFixed(2);
}

/** An evaluation in pawns, or a mate, as chess programs write it. */
function evaluation(position) {
  if (position.mate != null) return position.mate === 0 ? "mate" : `#${position.mate}`;
  const pawns = position.eval / 100;
  return (pawns > 0 ? "+" : pawns < 0 ? "−" : "") + Math.abs(pawns).toFixed(2);
}

/** Hundredths of a second as a clock shows them. */
function clockText(hundredths) {
  const seconds = Math.floor(hundredths / 100);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  return [Math.floor(seconds / 3600), ...parts].join(":");
}

/** Win, draw and loss in words. */
function chancesText([win, draw, loss]) {
  return `White ${percent(win)}, draw ${percent(draw)}, Black ${percent(loss)}`;
}

/** A bar of three parts, lying. */
function chancesBar(wdl) {
  const part = (share, name) => element("span", { class: name, style: `flex-grow:${share}` });
  const parts = [part(wdl[0], "win"), part(wdl[1], "draw"), part(wdl[2], "loss")];
  return element("span", { class: "lying", role: "img", "aria-label": chancesText(wdl), title: chancesText(wdl) }, parts);
}
