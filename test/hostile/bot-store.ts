import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { channelPrefixOf, personPrefixOf } from './cohort.ts';
import type { Row } from './state.ts';

/** A request for approval, as the bot keeps it. */
export interface StoredRequest {
  id: string;
  operation: string;
  input: Readonly<Record<string, readonly string[]>>;
  requesterId: string;
  state: string;
}

/** What the bot keeps, read beside it. SQLite lets another process read while the bot writes. */
export interface BotStore {
  folder: string;
  /** The requests of people of a cohort. */
  requests(cohort: number): StoredRequest[];
  /** Whether a decision of a cohort waits to be carried out, for example because the bot was killed. */
  hasUndoneDecisions(cohort: number): boolean;
  /** Whether a batch or a step of a workflow runs for a cohort, or something that a person did waits for one or for a campaign. */
  isBusy(cohort: number): boolean;
  /** The users of rows that batches of a cohort made. */
  usersOfBatches(cohort: number): string[];
  /** The subscriptions of the channels of a cohort. */
  subscriptions(cohort: number): Row[];
  /** The quizzes of the campaigns of a cohort, with the user who leads each. */
  campaignLeads(cohort: number): Row[];
  /** Whom the campaigns of people of a cohort write to: not those who lack the quiz. */
  campaignMembers(cohort: number): Row[];
  close(): void;
}

export function openBotStore(dataDir: string): BotStore {
  const database = new DatabaseSync(join(dataDir, 'invigilator.sqlite'), { readOnly: true });
  const requests = database.prepare(
    "SELECT state request FROM queue_states WHERE queue GLOB 'request/*' AND state ->> '$.requesterId' GLOB ? ORDER BY state ->> '$.createdAt'",
  );
  const undone = database.prepare(
    "SELECT 1 FROM queue_states WHERE queue GLOB 'request/*' AND state ->> '$.state' = 'decided' AND state ->> '$.requesterId' GLOB ? LIMIT 1",
  );
  const busy = database.prepare(`
    SELECT 1 FROM queue_states WHERE queue GLOB 'batch/*' AND is_busy = 1 AND instr(state, ?1) > 0
    UNION ALL SELECT 1 FROM queue_states WHERE queue GLOB 'step/*' AND state ->> '$.phase' IN ('new', 'running') AND instr(state, ?1) > 0
    UNION ALL SELECT 1 FROM queue_entries
      WHERE (queue GLOB 'batch/*' OR queue GLOB 'campaign/*' OR queue GLOB 'step/*') AND instr(content, ?1) > 0 LIMIT 1`);
  const batchUsers = database.prepare(`
    SELECT DISTINCT row.value ->> '$.userId' id FROM queue_states, json_each(state, '$.details') row
    WHERE queue GLOB 'batch/*' AND instr(state, ?) > 0 AND substr(state ->> '$.kinds', row.key + 1, 1) = 'd' AND row.value ->> '$.userId' IS NOT NULL`);
  const subscriptions = database.prepare(`
    SELECT content ->> '$.id' subscription_id, content ->> '$.channelId' channel_id, content ->> '$.ownerId' owner_id,
      content ->> '$.quiz.id' quiz_id, content ->> '$.quiz.name' quiz_name, content ->> '$.pause' pause
    FROM queue_state_parts WHERE queue GLOB 'subscriptions/*' AND channel_id GLOB ? ORDER BY part`);
  // Those of campaigns that run are in parts.
  const campaignMembers = database.prepare(`
    SELECT state ->> '$.campaign.id' campaign_id, state ->> '$.campaign.quiz.id' quiz_id, member ->> '$.userId' user_id
    FROM (
      SELECT state, content member FROM queue_states JOIN queue_state_parts USING (queue) WHERE queue GLOB 'campaign/*'
      UNION ALL
      SELECT state, value FROM queue_states, json_each(state, '$.campaign.members') WHERE queue GLOB 'campaign/*'
    )
    WHERE instr(state, ?) > 0 AND member ->> '$.assignment' = 'has'`);
  const campaignLeads = database.prepare(`
    SELECT state ->> '$.campaign.quiz.id' quiz_id, state ->> '$.campaign.leads[0]' user_id
    FROM queue_states WHERE queue GLOB 'campaign/*' AND instr(state, ?) > 0`);
  return {
    folder: dataDir,
    requests: (cohort) =>
      requests.all(`${personPrefixOf(cohort)}*`).map(({ request }) => JSON.parse(String(request)) as StoredRequest),
    hasUndoneDecisions: (cohort) => undone.get(`${personPrefixOf(cohort)}*`) !== undefined,
    isBusy: (cohort) => busy.get(`"${personPrefixOf(cohort)}`) !== undefined,
    usersOfBatches: (cohort) => batchUsers.all(`"${personPrefixOf(cohort)}`).map(({ id }) => String(id)),
    subscriptions: (cohort) => subscriptions.all(`${channelPrefixOf(cohort)}*`) as Row[],
    campaignLeads: (cohort) => campaignLeads.all(`"${personPrefixOf(cohort)}`) as Row[],
    campaignMembers: (cohort) => campaignMembers.all(`"${personPrefixOf(cohort)}`) as Row[],
    close: () => database.close(),
  };
}
