"""The live board of the page with the engine inside: it plays, knows the rules, and tells chances and difficulty as the program
does."""

import chess
from playwright.sync_api import expect
from web_page import browser, difficulty_natively, is_built, page

pytestmark = is_built


def square(page, name):
    """A place on the live board."""
    size = page.locator("#live .board").bounding_box()["width"] / 8
    return {"x": size * (ord(name[0]) - 96.5), "y": size * (8.5 - int(name[1]))}


def test_the_live_board_plays(page):
    page.get_by_role("button", name="Live board").click()
    board, lines = page.locator("#live .board"), page.locator("#live .lines li")
    expect(lines).to_have_count(3)
    board.click(position=square(page, "g1"))
    expect(page.locator("#live .dot")).to_have_count(2)
    board.click(position=square(page, "f3"))
    expect(page.locator(".game-moves button")).to_have_text(["1. Nf3"])
    page.get_by_label("Move:").fill("d5")
    page.keyboard.press("Enter")
    expect(page.locator(".game-moves button")).to_have_text(["1. Nf3", "d5"])
    for count in ("1", "5"):
        page.get_by_label("Lines").select_option(count)
        expect(lines).to_have_count(int(count))
        expect(page.locator("#live .arrow")).to_have_count(int(count))
    # The moves of a line are played on.
    lines.first.locator("button").nth(1).click()
    expect(page.locator(".game-moves button")).to_have_count(4)
    page.locator("#live .now h2").click()
    page.keyboard.press("Home")
    expect(page.get_by_label("Position (FEN)")).to_have_value(chess.STARTING_FEN)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".game-moves [aria-current]")).to_have_text("1. Nf3")
    # It deepens by itself, until it is stopped.
    expect(page.locator("#live .now")).to_contain_text("thousand a second", timeout=20_000)
    page.get_by_role("button", name="Stop").click()
    told = page.locator("#live .now").inner_text()
    page.wait_for_timeout(700)
    assert page.locator("#live .now").inner_text() == told


def set_up(page, fen):
    page.get_by_label("Position (FEN)").fill(fen)
    page.get_by_role("button", name="Set up").click()


def test_the_live_board_knows_the_rules(page):
    page.get_by_role("button", name="Live board").click()
    set_up(page, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    expect(page.locator("#live .now")).to_contain_text("White to move")
    page.locator("#live .board").click(position=square(page, "a7"))
    page.locator("#live .board").click(position=square(page, "a8"))
    expect(page.locator("#live .now button")).to_have_count(4)
    page.get_by_role("button", name="a8=R+").click()
    expect(page.get_by_label("Position (FEN)")).to_have_value("R3k3/8/8/8/8/8/8/4K3 b - - 0 1")
    set_up(page, "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1")
    page.get_by_label("Move:").fill("Kg6")
    page.keyboard.press("Enter")
    expect(page.locator("#live .now")).to_contain_text("The game is over: ½–½")
    set_up(page, "no position")
    assert page.get_by_label("Position (FEN)").get_attribute("aria-invalid") == "true"
    # Chess960: the king takes its rook.
    set_up(page, "4k3/8/8/8/8/8/8/RK5R w HA - 0 1")
    page.get_by_label("Move:").fill("O-O")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Position (FEN)")).to_have_value("4k3/8/8/8/8/8/8/R4RK1 b - - 1 1")


# FEN, how moves are typed, and the position after them, or what is said.
SPELLINGS = [
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["O-O", "o-o", "0-0", "00", "e1g1", "e1h1", "Ke1-g1"], "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["O-O-O", "e1a1", "e1c1"], "4k3/8/8/8/8/8/8/2KR3R b - - 1 1"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", ["exd6", "exd6 e.p.", "e5xd6", "e5d6", "ed6!"], "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2"),
    ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", ["a8=N", "a8N", "a8n", "a7a8n", "a8(N)", "a8/N"], "N3k3/8/8/8/8/8/8/4K3 b - - 0 1"),
    ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", ["Rad1", "Ra1d1", "Ra1-d1+"], "4k3/8/8/8/8/8/4K3/3R3R b - - 1 1"),
    ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", ["Rd1"], "Rd1 may be Rad1 or Rhd1"),
    ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", ["Kg1", "d4", "?"], "is no legal move here"),
]


def test_moves_are_typed_as_games_write_them(page):
    page.get_by_role("button", name="Live board").click()
    page.get_by_role("button", name="Stop").click()
    for fen, spellings, after in SPELLINGS:
        for spelling in spellings:
            # Another position empties the field.
            page.get_by_label("Move:").fill("x")
            set_up(page, fen)
            expect(page.get_by_label("Move:")).to_have_value("")
            page.get_by_label("Move:").fill(spelling)
            page.keyboard.press("Enter")
            if "/" in after:
                expect(page.get_by_label("Position (FEN)")).to_have_value(after)
            else:
                expect(page.locator("#status")).to_contain_text(after)
    set_up(page, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    expect(page.get_by_label("Move:")).to_have_value("")
    page.get_by_label("Move:").fill("a8")
    page.keyboard.press("Enter")
    expect(page.locator("#live .now")).to_contain_text("Promote to:")
    page.keyboard.press("Escape")
    expect(page.locator("#live .now button")).to_have_count(0)


def test_the_main_button_alone_plays(page):
    page.get_by_role("button", name="Live board").click()
    board, moves = page.locator("#live .board"), page.locator(".game-moves button")
    for name in ("e2", "e4"):
        board.click(position=square(page, name), button="right")
    # In Chess960 the king may castle onto its own square, but not by two clicks there.
    set_up(page, "4k3/8/8/8/8/8/8/6KR w H - 0 1")
    for name in ("g1", "g1"):
        board.click(position=square(page, name))
    expect(page.locator("#live .dot")).to_have_count(0)
    expect(moves).to_have_count(0)
    set_up(page, "4k3/8/8/8/8/8/8/RK5R w HA - 0 1")
    for name in ("b1", "c1"):
        board.click(position=square(page, name))
    expect(page.locator("#live .now")).to_contain_text("Which move?")


def test_the_chances_of_the_live_board_are_those_of_the_players(page):
    page.get_by_role("button", name="Live board").click()
    set_up(page, "7k/8/8/8/8/8/5PPP/6K1 w - - 0 1")
    expect(page.locator("#live .now")).to_contain_text("engine's strength")
    page.locator("#live").get_by_label("White’s rating").fill("1200")
    page.locator("#live").get_by_label("Black’s rating").fill("2200")
    page.keyboard.press("Tab")
    expect(page.locator("#live .now")).to_contain_text("White rated 1200 against Black rated 2200 in classical games")
    rows = page.locator("#live .chances th").all_inner_texts()
    assert rows[0] == "These players" and len(rows) > 1


def test_wrong_numbers_and_moves_are_named(page):
    page.get_by_role("button", name="Live board").click()
    live = page.locator("#live")
    rating = live.get_by_label("White’s rating")
    for text in ("1500.5", "5000", "0"):
        rating.fill(text)
        page.keyboard.press("Tab")
        expect(rating).to_have_attribute("aria-invalid", "true")
        expect(live.locator(".now .fault")).to_contain_text(f"White’s rating: {rating.evaluate('(field) => field.validationMessage')}")
    rating.fill("4000")
    page.keyboard.press("Tab")
    expect(live.locator(".now")).to_contain_text("Players rated 4000")
    assert rating.get_attribute("aria-invalid") is None
    move = page.get_by_label("Move:")
    move.fill("Ke2")
    page.keyboard.press("Enter")
    expect(move).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#status")).to_have_text("Ke2 is no legal move here")


def difficulty(page):
    """The texts of the live board's difficulty: its title, mistake, blunder and loss, the rows of its table."""
    place = page.locator("#live .difficulty")
    rows = place.locator("tbody tr").all()
    texts = lambda row: [text for text in (cell.inner_text().strip() for cell in row.locator("th, td").all()) if text]
    return place.locator("h3").inner_text(), place.locator("dd").all_inner_texts(), [texts(row) for row in rows]


# FEN, White's and Black's rating, the one that counts, a time control of the class with its usual pace, whether it is Chess960.
CHOICES = [
    (chess.STARTING_FEN, 1500, 1500, 1500, "blitz 240+0"),
    ("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3", 2000, 1200, 1200, "rapid 750+0"),
    ("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3", 2000, 1900, 1900, "rapid 750+0"),
    ("8/8/4k3/8/2r5/4K3/4P3/3R4 b - - 5 60", "", 1700, 1700, "bullet 60+0"),
    ("7k/8/6KQ/8/8/8/8/8 b - - 0 1", 1500, "", 1500, "classical 7200+0"),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 2200, 2400, 2200, "blitz 240+0", "--chess960"),
]


def test_the_live_board_tells_how_hard_a_position_is(page):
    page.get_by_role("button", name="Live board").click()
    live = page.locator("#live")
    expect(live.locator(".lines li")).to_have_count(3)
    # As of W/D/L, nothing is told of players without a rating.
    expect(live.locator(".difficulty")).to_have_text("With a rating, this tells how hard the position is for the player to move.")
    for fen, white, black, elo, control, *options in CHOICES:
        class_name, time_control = control.split()
        live.get_by_label("White’s rating").fill(str(white))
        live.get_by_label("Black’s rating").fill(str(black))
        live.get_by_label("Time control").select_option("" if class_name == "classical" else class_name)
        set_up(page, fen)
        color = "White" if " w " in fen else "Black"
        title = f"How hard it is for {color} rated {elo} in {class_name} games"
        expect(live.locator(".difficulty h3")).to_have_text(title)
        assert difficulty(page) == (title, *difficulty_natively(fen, elo, time_control, *options)), fen
    # Its moves are played; another position has another difficulty.
    live.locator(".difficulty tbody button").first.click()
    expect(page.locator(".game-moves button")).to_have_count(1)
    expect(live.locator(".difficulty h3")).to_have_text("How hard it is for Black rated 2400 in blitz games")
    # Where the game is over nothing is hard.
    set_up(page, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    expect(live.locator(".difficulty")).to_be_empty()


LISTEN = """() => {
    window.told = [];
    const { show } = LiveBoard.prototype;
    LiveBoard.prototype.show = function () {
        const { found, people } = this;
        if (found !== window.before || people) window.told.push({ depth: found?.depth ?? 0, fen: this.shown?.fen, people: people && people.moves[0].uci });
        window.before = found;
        return show.call(this);
    };
}"""


def test_lines_come_before_the_difficulty(page):
    page.get_by_role("button", name="Live board").click()
    page.locator("#live").get_by_label("White’s rating").fill("1500")
    page.get_by_role("button", name="Starting position").click()
    expect(page.locator("#live .difficulty dd")).to_have_count(3)
    page.evaluate(LISTEN)
    # A position that is left at once has none, and the next is not told that of the one before.
    page.locator("#live .now h2").click()
    for move in ("e4", "e5", "Nf3", "Nc6", "Bb5"):
        page.get_by_label("Move:").fill(move)
        page.keyboard.press("Enter")
    expect(page.locator("#live .difficulty dd")).to_have_count(3)
    told = page.evaluate("window.told")
    first = next(index for index, seen in enumerate(told) if seen["fen"].split()[0] == "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R" and seen["people"])
    assert told[first]["depth"] >= 8 and told[first]["people"] in ("a7a6", "g8f6")
    for seen in told:
        board = chess.Board(seen["fen"])
        assert not seen["people"] or chess.Move.from_uci(seen["people"]) in board.legal_moves
