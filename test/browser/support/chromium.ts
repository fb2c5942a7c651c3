import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

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
