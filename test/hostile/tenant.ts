/** Secrets of the configuration of a bot: nobody may read any of them. */
export type Secrets = Readonly<Record<'botToken' | 'signingSecret' | 'apiKey' | 'webhookSecret', string>>;

/** A workspace and an account, which one bot of the process serves. */
export interface Tenant {
  /** In the addresses of the process. Empty where it runs one bot. */
  name: string;
  teamId: string;
  secrets: Secrets;
}

/** A workspace in which no bot is. */
export const foreignTeam = 'T0FOREIGN';

/** What the bot’s process runs: one bot, or the bots of two tenants, in a workspace each or in the same one. */
export const worlds = ['one bot', 'two workspaces', 'one workspace'] as const;
export type World = (typeof worlds)[number];

const team = 'T0HOSTILE';

export function tenantsIn(world: World): readonly [Tenant, ...Tenant[]] {
  if (world === 'one bot') return [{ name: '', teamId: team, secrets: secretsFor('') }];
  return [tenant('north', team), tenant('south', world === 'one workspace' ? team : 'T0SOUTH')];
}

const tenant = (name: string, teamId: string): Tenant => ({ name, teamId, secrets: secretsFor(`-of-${name}`) });

const secretsFor = (end: string): Secrets => ({
  botToken: `xoxb-hostile-canary-of-the-token${end}`,
  signingSecret: `canary-of-the-signing-secret${end}`,
  apiKey: `canary-of-the-api-key${end}`,
  webhookSecret: `canary-of-the-webhook-secret${end}`,
});
