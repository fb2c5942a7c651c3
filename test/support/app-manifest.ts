import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { standardNames } from '../../src/domain/own-names.ts';
import { manifestText } from '../../src/slack/app-manifest.ts';

/** The manifest of an app for agents over HTTP or for steps of workflows, as `npm run manifest` prints it. @returns its path */
export function manifestWith(feature: 'agents' | 'steps'): string {
  const isForAgents = feature === 'agents';
  const text = manifestText(readFileSync('manifest.yml', 'utf8'), {
    names: standardNames,
    eventsUrl: isForAgents ? 'https://invigilator.example/slack/events' : undefined,
    agentsUrl: isForAgents ? 'https://invigilator.example/mcp' : undefined,
    hasSteps: feature === 'steps',
  });
  const path = join(tmpdir(), `invigilator-manifest-${createHash('sha256').update(text).digest('hex')}.yml`);
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
  return path;
}
