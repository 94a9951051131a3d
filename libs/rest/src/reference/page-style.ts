/** The whole style of the reference page: system fonts, light and dark, no request to anywhere. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d8dee4; --back: #fff; --panel: #f6f8fa; --accent: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --soft: #9aa4af; --line: #30363d; --back: #0d1117; --panel: #161b22; --accent: #6cb2f5; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; font: 15px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--back); display: grid; grid-template-columns: 19rem minmax(0, 1fr); }
a { color: var(--accent); text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem 1rem 2rem 1.25rem; border-right: 1px solid var(--line); background: var(--panel); font-size: 13px; }
nav h2 { font-size: 12px; margin: 1.1rem 0 .3rem; padding: 0; border: 0; color: var(--soft); text-transform: uppercase; letter-spacing: .04em; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .1rem 0; font-family: ui-monospace, monospace; font-size: 12px; overflow-wrap: anywhere; }
main { padding: 1.5rem 2.5rem 5rem; max-width: 62rem; }
h1 { font-size: 1.7rem; margin: 0 0 .5rem; }
h2 { font-size: 1.35rem; margin: 3rem 0 0; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 2.2rem 0 .2rem; font-family: ui-monospace, monospace; }
h4 { font-size: .85rem; margin: 1rem 0 .3rem; color: var(--soft); font-weight: 600; }
code, pre { font-family: ui-monospace, monospace; font-size: .88em; }
code { background: var(--panel); padding: .08em .3em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .7rem .9rem; overflow-x: auto; margin: .3rem 0; }
.route { margin: .3rem 0; }
.route b { color: var(--accent); }
.facts { color: var(--soft); font-size: 13px; margin: .3rem 0; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; margin: .2rem 0 .4rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; }
td:first-child { white-space: nowrap; }
@media (max-width: 55rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1rem; }
  td:first-child { white-space: normal; }
}
`;
