// The words of the page's scripts, in the language of the page. Each is written in English where it is used, as a plain
// string: t("This is roll %(n)s", { n }), tn("%(n)s die stays", "%(n)s dice stay", n). The command
// `python -m web.translations.catalogues` finds them there, and makes words/fr.js and its like.

export const language = document.documentElement.lang;

/** For numbers and dates. */
export const locale = language === "en" ? "en-GB" : language;

const plurals = new Intl.PluralRules(language);
// Without its catalogue the page speaks English, but it works.
const catalogue = language === "en" ? {} : await import(`./words/${language}.js`).then((loaded) => loaded.default, () => ({}));

function filled(text, values) {
  return text.replace(/%(?:%|\((\w+)\)s)/g, (place, name) => (name ? values[name] : "%"));
}

/** The text with its %(places)s filled in. */
export function t(text, values = {}) {
  return filled(catalogue[text] ?? text, values);
}

/** One of two texts, as the language counts; `n` fills the place %(n)s. */
export function tn(one, many, n, values = {}) {
  const form = plurals.select(n) === "one" ? 0 : 1;
  return filled((catalogue[one] ?? [one, many])[form], { n, ...values });
}
