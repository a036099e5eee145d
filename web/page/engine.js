// Engines in workers.

/** The module, compressed and in base64 in this page, compiled once for all workers. */
const engineModule = (async () => {
  const place = document.getElementById("module");
  const bytes = Uint8Array.from(atob(place.textContent), (letter) => letter.charCodeAt(0));
  place.remove();
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
})();

const workerAddress = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));

/** An engine in a worker of its own. It answers one request at a time. */
class Engine {
  constructor() {
    this.worker = new Worker(workerAddress);
    this.ready = engineModule.then((module) => this.worker.postMessage({ module }));
  }

  /** The answer to a request, with text or bytes as its data; `told` gets those that come before the last one. */
  async ask(request, data = "", told = () => {}) {
    await this.ready;
    return new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data: reply }) => {
        if (reply.told != null) told(JSON.parse(reply.told));
        else if (reply.error) reject(new Error(reply.error));
        else resolve(JSON.parse(reply.answer));
      };
      this.worker.onerror = (event) => reject(new Error(`the engine has failed: ${event.message}`));
      this.worker.postMessage({ request, data });
    });
  }

  /** Ends it, whatever it does; a request is not answered any more. */
  end() {
    this.worker.terminate();
  }
}

/** An engine in the page itself, for what takes no time. */
const ownEngine = engineModule.then(instantiate);

async function askHere(request) {
  return JSON.parse((await ownEngine)(request));
}
