import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';

const root = new URL('../../../', import.meta.url);

/**
 * Writes the manifest of a tenant’s app, as `npm run manifest -- <tenant>` prints it.
 *
 * @param options.settings what its entry in the file of tenants says of names and features: the manifest has nothing else of it
 * @returns the path of the manifest
 */
export async function writeManifest({
  tenant,
  settings,
  folder,
}: {
  tenant: string;
  settings: Readonly<Record<string, string>>;
  folder: string;
}): Promise<string> {
  const file = join(folder, 'names.yml');
  writeFileSync(file, stringify({ tenants: { [tenant]: settings } }));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['src/manifest.ts', tenant, '--url', 'https://bot.example'],
    { cwd: root, env: { TENANTS_FILE: file, NODE_COMPILE_CACHE: 'node_modules/.cache/invigilator' } },
  );
  const path = join(folder, 'manifest.yml');
  writeFileSync(path, stdout);
  return path;
}
