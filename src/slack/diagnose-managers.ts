import type { TeamProfileGetResponse, WebClient } from '@slack/web-api';
import { fault, right, unknown, type Diagnosis } from '../domain/diagnosis.ts';
import { noManagersWords } from '../operations/wording/no-managers.ts';
import { listWorkspaces } from './connection/connection.ts';
import { managerFieldIn } from './people/manager-field.ts';
import { answeredCodeOf, messageOf } from './slack-finding.ts';
import { inEnglish } from '../domain/said.ts';

/**
 * Finds out whose profile field would name managers. A workspace needs none, unless one is configured.
 *
 * @param configured as in `managerFieldIn`
 */
export async function managersDiagnosis(
  client: WebClient,
  configured: string | undefined,
  isOrganizationWide: boolean,
): Promise<Diagnosis> {
  try {
    const team = isOrganizationWide ? (await listWorkspaces(client))[0] : undefined;
    // The types of the method lack the workspace.
    const { profile }: TeamProfileGetResponse = await client.apiCall('team.profile.get', {
      ...(team && { team_id: team.id }),
    });
    const found = managerFieldIn(profile?.fields ?? [], configured);
    if ('id' in found) return right(`the field “${found.label}” of profiles names managers`);
    const words = inEnglish(noManagersWords(found.problem, 'Slack'));
    return configured === undefined ? unknown(words) : fault(words);
  } catch (error) {
    return unknown(`the fields of profiles were not read (${answeredCodeOf(error) ?? messageOf(error)})`);
  }
}
