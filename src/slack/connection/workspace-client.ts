import {
  WebClient,
  type DndTeamInfoResponse,
  type TeamProfileGetResponse,
  type WebAPICallResult,
  type WebClientOptions,
} from '@slack/web-api';
import { inEnglishThroughout } from '../../domain/said.ts';
import { slackCodeOf } from '../errors.ts';

/** The IDs of the workspaces in which the bot's token works: its own, or those of an organization that have the app. */
export type Workspaces = () => Promise<readonly string[]>;

type Arguments = Readonly<Record<string, unknown>>;
/** Makes a call about one workspace. @param team undefined: about none, which Slack refuses an organization */
type CallIn = (team: string | undefined, options: Arguments) => Promise<WebAPICallResult>;
/** @param teams never empty */
type Ask = (callIn: CallIn, teams: readonly (string | undefined)[], options: Arguments) => Promise<WebAPICallResult>;

/**
 * The methods that ask the token of an organization for a `team_id`, as far as the bot calls them. Slack ignores it with the
 * token of a workspace: https://docs.slack.dev/enterprise/developing-for-enterprise-orgs#team_id
 */
const methods = new Map<string, Ask>([
  ['users.list', listPages],
  ['usergroups.users.list', listUserGroup],
  ['dnd.teamInfo', readDoNotDisturb],
  ['team.profile.get', listProfileFields],
]);

export const methodsPerWorkspace: readonly string[] = [...methods.keys()];

/** Makes a client whose calls are about all workspaces of its token, where Slack answers for one at a time. */
export function createWorkspaceClient(token: string, options: WebClientOptions, workspaces: Workspaces): WebClient {
  return new (class extends WebClient {
    override async apiCall(method: string, given: Arguments = {}): Promise<WebAPICallResult> {
      const ask = methods.get(method);
      if (ask === undefined) return inEnglishThroughout(await super.apiCall(method, given));
      const teams = await workspaces();
      const callIn: CallIn = async (team, own) =>
        inEnglishThroughout(await super.apiCall(method, { ...own, ...(team !== undefined && { team_id: team }) }));
      return ask(callIn, teams.length === 0 ? [undefined] : teams, given);
    }
  })(token, options);
}

/** Lists one workspace after the other. A cursor is the workspace and Slack's own cursor. */
async function listPages(
  callIn: CallIn,
  teams: readonly (string | undefined)[],
  { cursor: given, ...options }: Arguments,
): Promise<WebAPICallResult> {
  const [, of = '', cursor = ''] = /^(\w*):(.*)$/s.exec(typeof given === 'string' ? given : '') ?? [];
  const at = Math.max(0, teams.indexOf(of));
  const answer = await callIn(teams[at], { ...options, ...(cursor !== '' && { cursor }) });
  const after = answer.response_metadata?.next_cursor ?? '';
  const [next] = after === '' ? teams.slice(at + 1) : [teams[at] ?? ''];
  return {
    ...answer,
    response_metadata: { ...answer.response_metadata, next_cursor: next === undefined ? '' : `${next}:${after}` },
  };
}

/** A user group is in one of the workspaces. */
async function listUserGroup(
  callIn: CallIn,
  [team, ...others]: readonly (string | undefined)[],
  options: Arguments,
): Promise<WebAPICallResult> {
  try {
    return await callIn(team, options);
  } catch (error) {
    if (others.length === 0 || !unknownGroup.has(slackCodeOf(error) ?? '')) throw error;
    return listUserGroup(callIn, others, options);
  }
}

/** https://docs.slack.dev/reference/methods/usergroups.users.list#errors */
const unknownGroup: ReadonlySet<string> = new Set(['no_such_subteam', 'subteam_not_found']);

/** Asks the next workspace about those whom the ones before do not know. */
async function readDoNotDisturb(
  callIn: CallIn,
  [team, ...others]: readonly (string | undefined)[],
  options: Arguments,
): Promise<DndTeamInfoResponse> {
  const answer: DndTeamInfoResponse = await callIn(team, options);
  const { users: found = {} } = answer;
  const missing = String(options['users'])
    .split(',')
    .filter((personId) => !Object.hasOwn(found, personId));
  if (others.length === 0 || missing.length === 0) return answer;
  const rest = await readDoNotDisturb(callIn, others, { ...options, users: missing.join(',') });
  return { ...rest, users: { ...found, ...rest.users } };
}

/** The fields of the profiles in all workspaces. */
async function listProfileFields(
  callIn: CallIn,
  [team, ...others]: readonly (string | undefined)[],
  options: Arguments,
): Promise<TeamProfileGetResponse> {
  const answer: TeamProfileGetResponse = await callIn(team, options);
  if (others.length === 0) return answer;
  const rest = await listProfileFields(callIn, others, options);
  const fields = [...(answer.profile?.fields ?? []), ...(rest.profile?.fields ?? [])];
  return {
    ...answer,
    profile: { ...answer.profile, fields: [...new Map(fields.map((field) => [field.id, field])).values()] },
  };
}
