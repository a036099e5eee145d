// A worker: an instance of the engine's module for itself. It answers one request after the other.

let ready = null;

onmessage = async ({ data: { module, request, data } }) => {
  try {
    if (module) ready = instantiate(module);
    else postMessage({ answer: (await ready)(request, data, (told) => postMessage({ told })) });
  } catch (error) {
    postMessage({ error: `the engine has failed: ${error.message}` });
  }
};
