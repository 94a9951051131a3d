import { obtainChromium } from '@perdure/testkit';
import { chromium, type Browser, type Page } from 'playwright-core';

/** Debian's Chromium without its screen, its updates and the services it would call. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const startChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: obtainChromium(), args: ARGUMENTS, headless: true });

/** What a page complains about: scripts that fail, and whatever its own policy keeps it from doing. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return complaints;
}
