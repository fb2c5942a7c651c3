import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The headless shell draws the same pages as the whole browser in half its time of processors. */
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = process.env['CHROMIUM_PATH'] ?? installed.find((path) => existsSync(path)) ?? installed[0]!;

/** The reason why browser tests cannot run on this machine, or undefined. CI never skips them. */
export const noBrowser: string | undefined = existsSync(executablePath)
  ? undefined
  : `no Chromium at ${executablePath}`;

if (noBrowser !== undefined && process.env['CI'] === 'true') throw new Error(`CI runs the browser tests: ${noBrowser}`);

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
