// The first page: a new game, and throwing for who begins.

import { all, dieDrawing, element, find, send, sum } from "./page.js";
import { showTimes } from "./times.js";
import { onDice } from "./ways_in.js";
import { t } from "./words.js";

// ---- Home

function startGames(form) {
  const list = find("#names");
  const inputs = () => all("input", list);
  const preset = () => find("[name=preset]:checked", form);
  const rules = () => find(`[data-rules="${preset().dataset.game}"]`, form);

  function setRules(options) {
    all("[data-rules]", form).forEach((part) => { part.hidden = part !== rules(); });
    all("select", rules()).forEach((select) => { select.value = options[select.dataset.option]; });
  }

  function renumber() {
    inputs().forEach((input, n) => {
      input.setAttribute("aria-label", t("Name of player %(n)s", { n: n + 1 }));
      const remove = find("[data-remove-name]", input.parentElement);
      remove.setAttribute("aria-label", t("Remove player %(n)s", { n: n + 1 }));
      remove.hidden = inputs().length === 1;
      const up = find("[data-name-up]", input.parentElement);
      up.setAttribute("aria-label", t("Move player %(n)s up", { n: n + 1 }));
      up.disabled = n === 0;
    });
    find("#add-name").disabled = inputs().length >= 8;
  }

  function addName() {
    const item = find("li", list).cloneNode(true);
    find("input", item).value = "";
    list.append(item);
    renumber();
    find("input", item).focus();
  }

  // Empty lines are no players; without any name there is still somebody.
  function wanted() {
    const players = inputs().map((input) => input.value.trim()).filter(Boolean);
    return {
      game: preset().dataset.game,
      options: Object.fromEntries(all("select", rules()).map((select) => [select.dataset.option, select.value])),
      players: players.length ? players : [t("Player 1")],
    };
  }

  async function create(body) {
    find("#form-error").textContent = "";
    const answer = await send("/sessions", body);
    if (answer.ok) {
      location.assign(`/sessions/${answer.data.id}`);
      return answer;
    }
    find("#form-error").textContent = answer.error;
    return answer;
  }

  form.addEventListener("change", (event) => {
    if (event.target.name === "preset") setRules(JSON.parse(event.target.dataset.options));
  });
  form.addEventListener("click", (event) => {
    if (event.target.closest("#add-name")) addName();
    const remove = event.target.closest("[data-remove-name]");
    if (remove && inputs().length > 1) {
      const number = all("[data-remove-name]", list).indexOf(remove);
      remove.parentElement.remove();
      renumber();
      const left = all("[data-remove-name]:not([hidden])", list);
      (left[Math.min(number, left.length - 1)] || find("#add-name")).focus();
    }
    const up = event.target.closest("[data-name-up]");
    if (up) {
      const item = up.parentElement;
      item.previousElementSibling?.before(item);
      renumber();
      (up.disabled ? find("input", item) : up).focus();
    }
    if (event.target.closest("#throw-for-it")) beginToss(wanted());
  });
  list.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input")) return;
    event.preventDefault();
    const following = inputs()[inputs().indexOf(event.target) + 1];
    if (following) following.focus();
    else if (inputs().length < 8 && event.target.value.trim()) addName();
  });
  let creating = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (creating) return;
    creating = true;
    creating = (await create(wanted())).ok;
  });

  // -- Who begins: everyone throws, the highest sum begins, those tied throw again

  let toss = null;

  function beginToss(game) {
    if (game.players.length < 2) {
      find("#form-error").textContent = t("Throwing for who begins takes two players: enter their names.");
      return;
    }
    toss = { game, dice: game.game === "yamslam" ? 1 : 5, rounds: [], still: game.players.map((_, n) => n), thrown: [] };
    form.hidden = true;
    find("#home").classList.add("tossing");
    find("#toss").hidden = false;
    drawToss();
    window.scrollTo({ top: 0 });
  }

  function drawToss() {
    const next = toss.still[toss.thrown.length];
    const name = toss.game.players[next];
    const hint = toss.dice === 1 ? t("%(name)s throws one die. The highest face begins.", { name })
      : t("%(name)s throws all five dice. The highest sum begins.", { name });
    const tie = t("A tie: those with the highest sum throw again.");
    find("#toss-hint").textContent = toss.rounds.length > 0 ? `${tie} ${hint}` : hint;
    find("#toss-list").replaceChildren(...toss.game.players.map((name, player) => {
      const at = toss.still.indexOf(player);
      const throws = at >= 0 ? toss.thrown[at] : undefined;
      return element("li", { class: player === next ? "now" : at < 0 ? "out" : "" },
        element("span", { class: "name", text: name }),
        ...(throws ? [element("span", { class: "dice" }, ...throws.map(dieDrawing)), element("b", { text: sum(throws) })] : []));
    }));
  }

  onDice(() => toss && {
    title: t("%(name)s throws", { name: toss.game.players[toss.still[toss.thrown.length]] }),
    confirm: () => t("This was the throw"),
    numbers: [],
    expect: toss.dice,
    kept: [],
    inks: toss.game.game === "yamslam",
    use: takeThrow,
  });

  async function takeThrow(dice) {
    const thrown = [...toss.thrown, dice];
    if (thrown.length < toss.still.length) {
      toss.thrown = thrown;
      drawToss();
      return { ok: true };
    }
    const rounds = [...toss.rounds, thrown];
    const best = Math.max(...thrown.map(sum));
    const still = toss.still.filter((_, n) => sum(thrown[n]) === best);
    if (still.length > 1) {
      Object.assign(toss, { rounds, still, thrown: [] });
      drawToss();
      return { ok: true };
    }
    return create({ ...toss.game, throws: rounds });
  }

  find("#toss-back").addEventListener("click", () => {
    toss = null;
    form.hidden = false;
    find("#home").classList.remove("tossing");
    find("#toss").hidden = true;
  });

  showTimes();
  renumber();
  window.addEventListener("pageshow", (event) => event.persisted && location.reload());
}

startGames(find("#new-game"));
