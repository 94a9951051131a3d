import { consentPage } from './consent-page.js';
import { Html, html } from './html.js';
import { documentOf } from './layout.js';
import { browserName, redirectTarget, shownName } from './shown-text.js';

test('whatever is put into a page is text, in elements and in attributes', () => {
  const hostile = `"><script>alert('x')</script>&amp;`;
  const { text } = html`<p title="${hostile}">${hostile}</p>
    ${null}${[html`<b>${1}</b>`]}${new Html('<i>')}`;
  const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;';
  expect(text.replace(/>\s+</g, '><')).toBe(`<p title="${escaped}">${escaped}</p><b>1</b><i>`);
});

test('a page loads its style sheet and runs nothing', () => {
  const page = documentOf({ title: '<t>', body: html`` }, '/oauth/pages.css');
  expect(page).toContain('<title>&lt;t&gt; · Perdure</title>');
  expect(page).not.toMatch(/<script|<style|style=| on[a-z]+=/);
});

test('I3: the consent page says what each scope means, and warns of the powerful ones', () => {
  const view = {
    clientName: 'Editor',
    clientHost: 'editor.example.com',
    redirectTarget: 'this computer (127.0.0.1:1)',
    workspaceName: 'acme',
    personName: 'ada',
    withheld: ['loop:admin'],
    action: '/oauth/consent/1',
    guard: html``,
    signOutAction: '/sign-out',
  };
  const { text } = consentPage({ ...view, scopes: ['sessions:write', 'access:write'] }).body;
  for (const part of ['Start, update and end build sessions', 'Look twice: issue and revoke credentials', 'loop:admin'])
    expect(text).toContain(part);
  expect(text).toContain('a document at editor.example.com');
  expect(consentPage({ ...view, scopes: ['sessions:write'] }).body.text).not.toContain('Look twice');
});

test.each([
  ['Claude Code', 'Claude Code'],
  ['  two\n lines ', 'two lines'],
  ['gpj\u202Eexe\u200B.\u0007x', 'gpjexe.x'],
  ['\u{E0041}\u{E0042}', 'someone'],
  ['', 'someone'],
  [undefined, 'someone'],
  ['x'.repeat(61), `${'x'.repeat(59)}…`],
  ['🙂'.repeat(60), '🙂'.repeat(60)],
])('a name of %j is shown as %j', (name, shown) => {
  expect(shownName(name, 'someone')).toBe(shown);
});

test.each([
  ['http://127.0.0.1:49152/callback', 'this computer (127.0.0.1:49152)'],
  ['http://[::1]:1/callback', 'this computer ([::1]:1)'],
  ['https://claude.ai/api/callback', 'claude.ai'],
  ['https://user@evil.example:8443/', 'evil.example:8443'],
  ['cursor://x/oauth', 'cursor:// on this computer'],
  ['::', 'an unknown place'],
])('a redirect to %s leads to %s', (uri, target) => {
  expect(redirectTarget(uri)).toBe(target);
});

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140 Safari/537.36',
    'Chrome on Linux',
  ],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140 Safari/537.36 Edg/140', 'Edge on Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14) AppleWebKit/605 Version/18 Safari/605', 'Safari on macOS'],
  ['curl/8', 'curl/8'],
])('%s is called %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
