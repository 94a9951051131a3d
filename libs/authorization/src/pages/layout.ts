import { html, type Html } from './html.js';

export interface Page {
  readonly title: string;
  readonly body: Html;
  /** Room for tables. */
  readonly wide?: boolean;
}

/** A whole document. There is no script in any of the pages. */
export function documentOf({ title, body, wide = false }: Page, styleUrl: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Perdure</title>
<link rel="stylesheet" href="${styleUrl}">
</head>
<body>
<main${wide ? html` class="wide"` : null}>
<p class="brand">Perdure</p>
${body}
</main>
</body>
</html>
`.text;
}
