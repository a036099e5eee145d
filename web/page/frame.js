// In the frame of the report, which from a disk has an origin of its own: where it is, and where it is to go.

window.addEventListener("message", ({ source, data }) => {
  if (source !== parent) return;
  if (data) location.hash = data;
  else parent.postMessage(location.hash, "*");
});
// Other sites open beside the page, not in its frame.
document.addEventListener("click", ({ target }) => {
  const link = target.closest("a[href^='http']");
  if (link) link.target = "_blank";
});
