// The engine's module: requests and answers in JSON.

/** An instance of the module. The returned function answers a request, with text or bytes as its data; `told` gets what comes before the last answer. */
async function instantiate(module) {
  let exports = null;
  let told = null;
  let last = "";
  const text = (place, length) => new TextDecoder().decode(new Uint8Array(exports.memory.buffer, place >>> 0, length >>> 0));
  const env = {
    now: () => performance.now(),
    tell: (place, length) => told?.(text(place, length)),
    reply: (place, length) => { last = text(place, length); },
  };
  exports = (await WebAssembly.instantiate(module, { env })).exports;
  return (request, data = "", listener = null) => {
    const line = new TextEncoder().encode(`${JSON.stringify(request)}\n`);
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
    // WebAssembly hands addresses over as signed numbers.
    const place = exports.request(line.length + bytes.length) >>> 0;
    const room = new Uint8Array(exports.memory.buffer, place, line.length + bytes.length);
    room.set(line);
    room.set(bytes, line.length);
    told = listener;
    exports.answer();
    return last;
  };
}
