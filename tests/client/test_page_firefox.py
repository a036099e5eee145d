"""The page with the engine inside in Firefox, from a disk: its reports are those of `halfpoint analyse` to the byte, its live
board searches. Firefox is that of FIREFOX, or of the path; it is driven by WebDriver BiDi."""

import itertools
import json
import os
import re
import shutil
import subprocess
import time

import chess
import pytest
from web_page import OTHERS, PAGE, difficulty_natively, is_built, native

websocket = pytest.importorskip("websocket")
FIREFOX = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
pytestmark = [is_built, pytest.mark.skipif(not FIREFOX, reason="there is no Firefox")]

WAIT = """const until = async (ready) => {
    while (!ready()) await new Promise((done) => setTimeout(done, 50));
    return ready();
};
const named = (kind, place, text) => [...document.querySelectorAll(`${place} ${kind}`)].find((node) => node.textContent.includes(text));
"""
ANALYSE = """
document.querySelector("textarea").value = games;
named("button", "#games", "Read the text").click();
(await until(() => named("label", "#games", "Nodes a position"))).querySelector("input").value = 500;
named("button", "#games", "Analyse").click();
await until(() => !document.getElementById("report").hidden);
const files = [];
const { createObjectURL } = URL;
URL.createObjectURL = (blob) => {
    files.push(blob);
    return "#";
};
for (const kind of ["page", "PGN", "JSON"]) {
    const count = files.length;
    document.querySelector(`[aria-label="Save ${kind}"]`).click();
    await until(() => files.length > count);
}
URL.createObjectURL = createObjectURL;
return JSON.stringify(await Promise.all(files.map((file) => file.text())));"""
LIVE = """
document.querySelector("[data-part=live]").click();
const rating = named("label", "#live", "White’s rating").querySelector("input");
rating.value = 1500;
rating.dispatchEvent(new Event("change"));
await until(() => document.querySelector("#live .difficulty dd") && document.querySelectorAll("#live .lines li").length === 3);
return JSON.stringify([...document.querySelectorAll("#live .difficulty dd")].map((fact) => fact.textContent));"""


class Firefox:
    """A window of Firefox."""

    def __init__(self, port):
        self.socket = websocket.create_connection(f"{port}/session", suppress_origin=True, timeout=120)
        self.numbers = itertools.count(1)
        self.troubles = []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.window = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method, **params):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (answer := json.loads(self.socket.recv())).get("id") != number:
            self.troubles.append(answer["params"])
        assert answer["type"] == "success", answer
        return answer["result"]

    def run(self, script):
        expression = f"(async () => {{ {WAIT} {script} }})()"
        answer = self.ask("script.evaluate", expression=expression, target={"context": self.window}, awaitPromise=True)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])


@pytest.fixture
def firefox(tmp_path):
    command = [FIREFOX, "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", str(tmp_path)]
    log = tmp_path / "log"
    with log.open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env=os.environ | {"HOME": str(tmp_path)})
    try:
        while not (port := re.search(r"BiDi listening on (ws://\S+)", log.read_text())):
            time.sleep(0.05)
            assert process.poll() is None, log.read_text()
        firefox = Firefox(port[1])
        yield firefox
        assert firefox.troubles == []
    finally:
        process.terminate()
        process.wait(30)


def test_firefox_reports_and_plays_on(firefox, tmp_path):
    firefox.ask("browsingContext.navigate", context=firefox.window, url=PAGE.as_uri(), wait="complete")
    files, _ = native(tmp_path, OTHERS, "--nodes", "500")
    assert firefox.run(f"const games = {json.dumps(OTHERS)}; {ANALYSE}") == [file.decode() for file in files]
    assert firefox.run(LIVE) == difficulty_natively(chess.STARTING_FEN, 1500, "7200+0")[0]
