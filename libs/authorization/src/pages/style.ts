/** The one style sheet of the pages. Served as a file: the policy of the pages allows no style in the page itself. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f4f1; --card: #ffffff; --ink: #1c1e21; --soft: #5b6067; --line: #d9dad6;
  --accent: #1f5f4a; --accent-ink: #ffffff; --warn: #8a3b12; --warn-ground: #fdf1e7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #15171a; --card: #1e2125; --ink: #eceded; --soft: #a5abb3; --line: #34383e;
    --accent: #7cc9ad; --accent-ink: #10231c; --warn: #f0b48a; --warn-ground: #35261b;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 6vh 1rem 3rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main { max-width: 34rem; margin: 0 auto; }
main.wide { max-width: 52rem; }
.brand { margin: 0 0 .75rem; color: var(--soft); font-weight: 600; letter-spacing: .02em; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.5rem; }
.card + .card { margin-top: 1rem; }
h1 { margin: 0 0 .5rem; font-size: 1.4rem; line-height: 1.3; overflow-wrap: anywhere; }
h2 { margin: 0 0 .75rem; font-size: 1.05rem; }
p { margin: .5rem 0; }
.soft { color: var(--soft); }
.small { font-size: .875rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1rem; margin: 1rem 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
ul.scopes { margin: .5rem 0 1rem; padding: 0; list-style: none; }
ul.scopes li { display: flex; align-items: baseline; justify-content: space-between; gap: 1rem; padding: .3rem 0; border-top: 1px solid var(--line); }
ul.scopes code { color: var(--soft); white-space: nowrap; }
code { font: .85em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.tag { display: inline-block; padding: 0 .5rem; border: 1px solid currentColor; border-radius: 1rem; color: var(--warn); font-size: .8rem; vertical-align: .1em; }
.notice { padding: .75rem 1rem; border-radius: .5rem; background: var(--warn-ground); color: var(--warn); }
label { display: block; margin: .75rem 0 .25rem; font-weight: 600; }
input[type="text"] {
  width: 100%; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: .5rem;
  background: var(--ground); color: var(--ink); font: inherit;
}
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.25rem; }
button, a.button {
  white-space: nowrap; padding: .6rem 1.1rem; border: 1px solid var(--accent); border-radius: .5rem; background: var(--accent);
  color: var(--accent-ink); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
}
button.plain, a.plain { background: transparent; border-color: var(--line); color: var(--ink); }
button.small { padding: .25rem .7rem; font-size: .875rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; color: var(--soft); font-weight: 600; font-size: .875rem; }
th, td { padding: .5rem .75rem .5rem 0; border-top: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td:first-child { min-width: 11rem; }
td.action { width: 1%; padding-right: 0; text-align: right; }
.narrow { display: none; }
.or { margin-top: 1.25rem; padding-top: .75rem; border-top: 1px solid var(--line); }
@media (max-width: 40rem) {
  body { padding-top: 1rem; }
  .card { padding: 1.1rem; }
  ul.scopes li { flex-direction: column; gap: 0; }
  thead { display: none; }
  .narrow { display: inline; color: var(--soft); }
  table, tbody, tr, td { display: block; width: 100%; }
  tr { border-top: 1px solid var(--line); padding: .5rem 0; }
  td, td.action, td:first-child { border: 0; min-width: 0; padding: .1rem 0; width: 100%; text-align: left; }
}
`;
