import { hasAddress } from '../../directory/identity.ts';
import { isSameAddress } from '../../domain/address.ts';
import { namedUser } from '../../directory/names.ts';
import { named } from '../../domain/sentence.ts';
import type { User, UserChanges } from '../../quiz-api/users.ts';
import type { OperationContext, Visibility } from '../../operations/context.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { say } from '../../domain/said.ts';

type Addresses = Pick<UserChanges, 'user_name' | 'email_address'>;

/**
 * Refuses a user name or e-mail address that another user has as either of them: the bot recognizes people by both. The
 * message names that user only to people who may see them.
 *
 * @param own the user who gets the addresses; undefined for a new one
 * @throws {InvalidInputError}
 */
export async function refuseTakenAddress(
  { directory, visibility, call }: OperationContext,
  { user_name, email_address }: Addresses,
  own?: User,
): Promise<void> {
  for (const [field, address] of Object.entries({ user_name, email_address })) {
    if (address === undefined || address === '') continue;
    const holders = (await directory.users.names(call))
      .named(address)
      .filter((user) => user.user_id !== own?.user_id && hasAddress(user, address));
    if (holders.length > 0) throw new InvalidInputError(field, takenMessage(address, holders, visibility));
  }
}

/** Says who has an address, as far as the person may know it. */
export function takenMessage(address: string, holders: readonly User[], visibility: Pick<Visibility, 'user'>): string {
  const visible = holders.find(visibility.user);
  return visible
    ? say`${namedUser(visible)} already uses ${named(address)}.`
    : say`Another user of the quiz account already uses ${named(address)}.`;
}

/** Refuses taken addresses by the list of the service, right before a change. Costs a request where an address is given. @throws {InvalidInputError} */
export async function refuseTakenAddressNow(
  context: OperationContext,
  addresses: Addresses,
  own?: User,
): Promise<void> {
  const { directory, call, isOneOfMany } = context;
  const isGiven = addresses.user_name || addresses.email_address;
  // The list at hand has the users whom the others of many created, and the service refuses a user name that is taken.
  if (isGiven && !isOneOfMany) await directory.users.refresh(call);
  await refuseTakenAddress(context, addresses, own);
}

/**
 * Whether a new user can share an e-mail address with those who have it, as families do: in the workspace, it stays with who it
 * belongs to (`directory/identity.ts`).
 */
export function canShare(
  { user_name, email_address, user_type }: Addresses & { user_type?: string | undefined },
  holders: readonly User[],
): boolean {
  const isKept = holders.some(
    (user) =>
      user.user_type !== 'respondent' ||
      user.date_created !== null ||
      isSameAddress(user.user_name, email_address ?? ''),
  );
  return user_type === 'respondent' && !isSameAddress(user_name ?? '', email_address ?? '') && isKept;
}
