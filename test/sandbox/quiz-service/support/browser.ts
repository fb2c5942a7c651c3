import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

const EXECUTABLES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where a browser is installed. */
export const browserPath = EXECUTABLES.find((path) => existsSync(path));

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A page in a browser with an empty profile, which ends with the test. */
export async function openBrowserPage(): Promise<Page> {
  const profile = await mkdtemp(join(tmpdir(), 'quiz-service-browser-'));
  const options = { executablePath: browserPath ?? '', headless: true, args: FLAGS };
  const context: BrowserContext = await chromium.launchPersistentContext(profile, options);
  onTestFinished(async () => {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  });
  return context.pages()[0] ?? context.newPage();
}
