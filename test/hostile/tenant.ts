/** Secrets of the configuration of a bot: nobody may read any of them. */
type Secrets = Readonly<Record<'botToken' | 'signingSecret' | 'apiKey' | 'webhookSecret', string>>;

/** A workspace and an account, which one bot of the process serves. */
export interface Tenant {
  /** In the addresses of the process. Empty where it runs one bot. */
  name: string;
  teamId: string;
  /** Of its workspace: answers go to no other. */
  host: '127.0.0.1' | 'localhost';
  secrets: Secrets;
}

/** A workspace in which no bot is. */
export const foreignTeam = 'T0FOREIGN';

/** What the bot’s process runs: one bot, or the bots of two tenants, in a workspace each or in the same one. */
export type World = 'one bot' | 'two workspaces' | 'one workspace';

const team = 'T0HOSTILE';

export function tenantsIn(world: World): readonly [Tenant, ...Tenant[]] {
  if (world === 'one bot') return [{ name: '', teamId: team, host: '127.0.0.1', secrets: secretsFor('') }];
  return [
    { name: 'north', teamId: team, host: '127.0.0.1', secrets: secretsFor('-of-north') },
    {
      name: 'south',
      teamId: world === 'one workspace' ? team : 'T0SOUTH',
      host: 'localhost',
      secrets: secretsFor('-of-south'),
    },
  ];
}

const secretsFor = (end: string): Secrets => ({
  botToken: `xoxb-hostile-canary-of-the-token${end}`,
  signingSecret: `canary-of-the-signing-secret${end}`,
  apiKey: `canary-of-the-api-key${end}`,
  webhookSecret: `canary-of-the-webhook-secret${end}`,
});

/** Where a delivery goes, and with whose secret it is signed. */
export interface Address {
  to: Tenant;
  /** Undefined: with a secret of nobody. */
  signer: Tenant | undefined;
}

/** The tenant that a signed delivery reaches; undefined where the process has to refuse it. */
export function takerOf({ to, signer }: Address): Tenant | undefined {
  return to === signer ? signer : undefined;
}

/** A path of the process. The one of a single bot has no name in it. */
export function pathTo(base: string, to: Address['to']): string {
  return to.name === '' ? base : `${base}/${to.name}`;
}
