import type { Tenant } from './tenant.ts';

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
