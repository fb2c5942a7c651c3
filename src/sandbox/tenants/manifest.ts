import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';

const root = new URL('../../../', import.meta.url);

/**
 * Writes the manifest of an app, as `npm run manifest` prints it for the only bot or for a tenant.
 *
 * @param options.settings the names and features of the bot: the manifest has nothing else of it
 * @returns the path of the manifest
 */
export async function writeManifest({
  tenant,
  settings,
  folder,
}: {
  tenant: string | undefined;
  settings: Readonly<Record<string, string>>;
  folder: string;
}): Promise<string> {
  const tenants = join(folder, 'names.yml');
  if (tenant !== undefined) writeFileSync(tenants, stringify({ tenants: { [tenant]: settings } }));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['src/manifest.ts', ...(tenant === undefined ? [] : [tenant]), '--url', 'https://bot.example'],
    {
      cwd: root,
      env: {
        ...(tenant === undefined ? settings : { TENANTS_FILE: tenants }),
        NODE_COMPILE_CACHE: 'node_modules/.cache/invigilator',
      },
    },
  );
  const path = join(folder, 'manifest.yml');
  writeFileSync(path, stdout);
  return path;
}
