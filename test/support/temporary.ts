import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * Creates a temporary directory that is deleted when the test ends.
 *
 * @param onClose registers the deletion; tests that run at the same time pass their own `onTestFinished`
 */
export function temporaryDirectory(onClose: (cleanUp: () => void) => void = onTestFinished): string {
  const path = mkdtempSync(join(tmpdir(), 'invigilator-'));
  onClose(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
