"""The limits of the page with the engine inside: nothing leaves it, a plain host is enough, 500 games do not fill the memory."""

import functools
import http.server
import os
import pathlib
import re
import threading
import time

import pytest
from playwright.sync_api import TimeoutError, expect
from web_page import ENGINES, OTHERS, PAGE, analyse, browser, is_built, native, read, report_frame, saved

pytestmark = is_built


def test_nothing_leaves_the_page(browser):
    """What scripts of the page, of the report and of a worker send to a server never comes."""
    came = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            came.append(self.path)
            self.send_response(204)
            self.end_headers()

        do_POST = do_GET

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    send = """async (address) => {
        const tries = [
            () => fetch(address, { mode: "no-cors" }), () => navigator.sendBeacon?.(address, "x"),
            () => new Promise((done, failed) => { const image = new Image(); image.onload = done; image.onerror = failed; image.src = address; }),
            () => new Promise((done, failed) => { const socket = new WebSocket(address.replace("http", "ws")); socket.onopen = done; socket.onerror = failed; }),
        ];
        const results = await Promise.allSettled(tries.map(async (attempt) => attempt()));
        return results.map((result) => result.status);
    }"""
    page = browser.new_page()
    page.goto(PAGE.as_uri())
    read(page, OTHERS)
    analyse(page, 200)
    for place in (page, report_frame(page)):
        results = place.evaluate(send, address)
        assert [results[0], *results[2:]] == ["rejected"] * 3
    worker = """(address) => new Promise((done) => {
        const text = `fetch("${address}", { mode: "no-cors" }).then(() => postMessage("sent"), () => postMessage("refused"))`;
        const worker = new Worker(URL.createObjectURL(new Blob([text])));
        worker.onmessage = ({ data }) => done(data);
    })"""
    assert page.evaluate(worker, address) == "refused"
    page.wait_for_timeout(300)
    server.shutdown()
    page.close()
    assert came == []


def test_a_plain_host_is_enough_and_the_page_stays_without_it(browser, tmp_path):
    """Without headers; and when the host is gone."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=PAGE.parent / "site"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{server.server_port}/")
    page.evaluate("navigator.serviceWorker.ready.then((worker) => new Promise((done) => (worker.active.state === 'activated' ? done() : worker.active.addEventListener('statechange', done))))")
    server.shutdown()
    server.server_close()
    page.reload()
    read(page, OTHERS)
    analyse(page, 500)
    files, _ = native(tmp_path, OTHERS, "--nodes", "500")
    assert saved(page, "page") == files[0]
    frame = report_frame(page)
    frame.get_by_role("link", name="White – Black").click()
    expect(frame.locator("#game-title")).to_contain_text("White – Black")
    context.close()


def test_a_host_with_a_new_version_replaces_the_page(browser, tmp_path):
    """Though the browser's own cache still takes the page before for fresh."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    def put(version, days):
        (tmp_path / "index.html").write_text(f"<title>{version}</title><script>navigator.serviceWorker.register('offline.js')</script>")
        (tmp_path / "offline.js").write_text(re.sub("halfpoint-[0-9a-f]{16}", f"halfpoint-{version}", (PAGE.parent / "site/offline.js").read_text()))
        # By the age of a file a browser reckons how long it keeps it.
        for file in tmp_path.iterdir():
            os.utime(file, (time.time() - days * 86400,) * 2)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=tmp_path))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = browser.new_context().new_page()

    def opened():
        # A browser that is starting the worker of the page may wait for ever: it is asked again.
        try:
            page.goto(f"http://127.0.0.1:{server.server_port}/", timeout=10_000)
        except TimeoutError:
            return None
        return page.title(), page.evaluate("navigator.serviceWorker.ready.then(() => caches.keys())")

    for version, days in (("old", 30), ("new", 29)):
        put(version, days)
        deadline = time.monotonic() + 60
        while (seen := opened()) != (version, [f"halfpoint-{version}"]):
            assert time.monotonic() < deadline, seen
            # A browser looks for a new version a while after it has opened the page.
            page.wait_for_timeout(2000)
    server.shutdown()
    server.server_close()
    page.context.close()


def memory():
    """Most memory that a renderer of this test's browser holds now, MiB."""
    parents = {}
    sizes = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
            command = (folder / "cmdline").read_text()
        except OSError:
            continue
        parents[int(folder.name)] = int(status["PPid"])
        if "--type=renderer" in command:
            sizes[int(folder.name)] = int(status["VmRSS"].split()[0]) / 1024

    def is_ours(process):
        while process > 1:
            if process == os.getpid():
                return True
            process = parents.get(process, 0)
        return False

    return max((size for process, size in sizes.items() if is_ours(process)), default=0)


# Of a page with two engines and the report of 500 games open, MiB, and of the growth by the last 400 games while they are analysed.
MOST_MEMORY = 700
MOST_GROWTH = 150


@pytest.mark.skipif(not pathlib.Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_500_games_do_not_fill_the_memory(browser):
    games = re.split(r"(?m)^(?=\[Event )", ENGINES)[1:]
    page = browser.new_page()
    page.goto(PAGE.as_uri())
    read(page, "\n".join((games * 84)[:500]))
    page.get_by_label("Nodes a position").fill("100")
    page.get_by_label("Processors").fill("2")
    began = time.monotonic()
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator(".state")).to_contain_text(re.compile(r" 1\d\d of 500 games"), timeout=120_000)
    before, most = memory(), 0
    while page.locator("#report").is_hidden():
        most = max(most, memory())
        page.wait_for_timeout(250)
    seconds = time.monotonic() - began
    frame = report_frame(page)
    assert frame.locator("#list-title").inner_text() == "500 games"
    open_report = memory()
    size = len(saved(page, "page"))
    print(f"500 games in {seconds:.0f} s: {before:.0f} MiB after 100, at most {most:.0f}, {open_report:.0f} with the report of {size / 1e6:.1f} MB open")
    page.close()
    assert most - before < MOST_GROWTH and max(most, open_report) < MOST_MEMORY
