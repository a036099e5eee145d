// On a host: keeps the page in the browser, so that it opens without the network. A new version replaces it.

const CACHE = "halfpoint-{{version}}";

addEventListener("install", (event) => {
  skipWaiting();
  // From the host: the browser's own cache may still have another version.
  event.waitUntil(caches.open(CACHE).then((cache) => cache.add(new Request("./", { cache: "reload" }))));
});

addEventListener("activate", (event) => event.waitUntil(
  caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith("halfpoint-") && name !== CACHE).map((name) => caches.delete(name)))),
));

addEventListener("fetch", (event) => {
  const isPage = event.request.url.replace(/(index\.html)?([?#].*)?$/, "") === registration.scope;
  if (isPage) event.respondWith(caches.match("./").then((page) => page ?? fetch(event.request)));
});
