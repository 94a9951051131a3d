import { createHash } from 'node:crypto';
import { allOperations } from '@perdure/contracts';
import express from 'express';
import request from 'supertest';
import { documentRoutes } from '../document-routes.js';
import { describeCatalogue } from './describe-catalogue.js';
import { html, Markup, withCode } from './markup.js';
import { referencePage } from './reference-page.js';

const app = express().use('/v1', documentRoutes('1.2.3'));
const page = referencePage(describeCatalogue(), '1.2.3');

test('T2: the document and the page are for everybody, and may be kept for a while', async () => {
  const document = await request(app).get('/v1/openapi.json');
  expect([document.status, document.headers['content-type'], document.body.info.version]).toEqual([
    200,
    'application/json; charset=utf-8',
    '1.2.3',
  ]);
  const shown = await request(app).get('/v1/docs');
  expect([shown.status, shown.headers['content-type'], shown.text]).toEqual([200, 'text/html; charset=utf-8', page]);
  for (const { headers } of [document, shown]) expect(headers['cache-control']).toBe('public, max-age=300');
});

test('T2: the page may load nothing and run nothing; its one style is the one its policy names', async () => {
  const { headers } = await request(app).get('/v1/docs');
  const [, style = ''] = /<style>([^]*?)<\/style>/.exec(page) ?? [];
  const digest = createHash('sha256').update(style).digest('base64');
  expect(headers['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  expect(page).not.toMatch(/<script|<link|<img|<iframe|style=|\son[a-z]+=|@import|url\(|(?:src|href)="https?:/i);
});

test('T2: every link on the page leads to one place on it', () => {
  const places = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(places).size).toBe(places.length);
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.filter((id) => !places.includes(id))).toEqual([]);
  expect(places).toEqual(expect.arrayContaining(allOperations.map(({ name }) => name)));
});

test('W9: the page is a document in a language, with headings in order and named columns', () => {
  expect(page.startsWith('<!doctype html>')).toBe(true);
  expect(page).toContain('<html lang="en">');
  expect(page.match(/<h1/g)).toHaveLength(1);
  const levels = [...(/<main>[^]*<\/main>/.exec(page)?.[0] ?? '').matchAll(/<h([1-4])/g)].map(([, level]) =>
    Number(level),
  );
  expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  expect(page).not.toMatch(/<th>/);
});

test('whatever is put into the page is escaped', () => {
  const hostile = `<img src=x onerror="alert('1')">&amp;`;
  const shown = '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;';
  expect(html`<p title="${hostile}">${[hostile, 7]}</p>`.text).toBe(`<p title="${shown}">${shown}7</p>`);
  expect(html`${withCode('a `<b>` c')}`.text).toBe('a <code>&lt;b&gt;</code> c');
  expect(html`${new Markup('<hr>')}`.text).toBe('<hr>');
});
