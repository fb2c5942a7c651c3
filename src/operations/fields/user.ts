import type { NameAccess } from '../../directory/name-index.ts';
import { fullName, markedName, plainName, publicName } from '../../directory/names.ts';
import type { Target } from '../../domain/approval-request.ts';
import { named, say, listed } from '../../domain/said.ts';
import { unlessGone } from '../../quiz-api/errors.ts';
import { blankUser, flagsOf, type User } from '../../quiz-api/records.ts';
import type { OperationContext, Right, Visibility } from '../context.ts';
import { meansOneOf } from '../other-words/meanings.ts';
import { mentionsInWords, parseMention } from '../typed-text.ts';
import { fromMatch, invalid, usualKind, valueOf } from './field-kind.ts';
import type { FieldBase, FieldKind, ResolvedValue } from './field-kind.ts';
import { unclear, type Candidate } from '../text-input.ts';
import { typeInWords } from '../wording/words.ts';

/** A user whose record the person may see; `accepts` narrows the picker to the users that make sense here. */
export interface UserField extends FieldBase {
  kind: 'user';
  /** Any user the person may choose by name: the operation shows and changes nothing of the user’s record, and calls them by `publicName`. */
  byName?: true;
  accepts?: (user: User) => boolean;
  /** For administrators, also a user who is deleted in the account, by the ID that the record has. */
  orOnRecord?: true;
}

export const userKind: FieldKind<UserField, User> = {
  followsFromPlace: false,
  split: usualKind.split,
  canName: (rights, { byName }) => (byName ? canChooseUsers(rights) : rights.has('manage_users')),
  take(tokens, from) {
    const token = tokens[from];
    const isPerson = token?.kind === 'mention' && parseMention(token.text)?.kind === 'person';
    return isPerson ? { texts: [token.text], end: from + 1 } : undefined;
  },
  async resolve([text = ''], field, resolver) {
    const resolved = await resolveUser(text, resolver, acceptedBy(field, resolver.visibility));
    const mayBeDeleted = field.orOnRecord === true && resolver.rights.has('administrator');
    return resolved.kind !== 'value' && mayBeDeleted && isIdOnRecord(text)
      ? valueOf(userOnRecord(text.trim()))
      : resolved;
  },
  identify: ({ user_id }) => [user_id],
  describe: markedName,
  targets: (user) => [userTarget(user)],
  async refetch(known, { api, directory, call }) {
    if (isOnRecordOnly(known)) return known;
    return directory.users.read(known.user_id, () => api.users.get(known.user_id, call).catch(unlessGone));
  },
  async narrow(text, field, { directory, visibility, limit }) {
    const mayBeChosen = acceptedBy(field, visibility);
    const accepts = (user: User) => (field.accepts?.(user) ?? true) && mayBeChosen(user);
    return (await directory.users.namesAtHand()).search(text, { limit, accepts });
  },
};

export function acceptedBy({ byName }: Pick<UserField, 'byName'>, visibility: Visibility): (user: User) => NameAccess {
  return byName ? choosable(visibility) : visibility.user;
}

/** The users a person may choose: by any of their names where the person may see the record, else by the public name only. */
export function choosable({ user: maySee, userByName: mayChoose }: Visibility): (user: User) => NameAccess {
  return (user) => maySee(user) || (mayChoose(user) && 'public names');
}

/** The name of a user as the person may read it. */
export function nameFor(user: User, { user: maySee }: Visibility): string {
  return maySee(user) ? fullName(user) : publicName(user);
}

/** Whether a person with these rights may choose users by name, to assign something to them. */
export function canChooseUsers(rights: ReadonlySet<Right>): boolean {
  return rights.has('edit_quizzes') || rights.has('manage_users') || rights.has('manage_groups');
}

/** IDs of the service have a digit, and no space. */
function isIdOnRecord(text: string): boolean {
  return /^(?=.*\d)[\w-]{1,100}$/.test(text.trim());
}

/** No type of the service. */
const onRecordOnly = 'on record only';

/** A user of whom nothing is known but the ID. */
export function userOnRecord(userId: string): User {
  return { ...blankUser, user_id: userId, user_type: onRecordOnly };
}

/** Whether the account has no such user any more. */
export function isOnRecordOnly(user: User): boolean {
  return user.user_type === onRecordOnly;
}

/** What finding a user takes. */
type UserFinder = Pick<
  OperationContext,
  'directory' | 'identity' | 'platform' | 'visibility' | 'actor' | 'isChange' | 'call'
>;

/** Whether somebody means themselves. */
export function isMe(typed: string): boolean {
  return /^@?(?:me|myself)$/i.test(typed.trim());
}

/** As `isMe`, also in another language, where nobody has that name: “Mi” and “Ja” can be names. */
export async function isOneself(
  typed: string,
  { directory, call }: Pick<OperationContext, 'directory' | 'call'>,
): Promise<boolean> {
  if (isMe(typed)) return true;
  const text = typed.trim();
  if (!meansOneOf(text, ['me'])) return false;
  const plain = plainName(text);
  const isNamed = (user: User) => plainName(publicName(user)).split(' ').includes(plain);
  return !(await directory.users.get(call)).some(isNamed);
}

/**
 * The accepted user with this id or a name that the person may read, or the user that a mentioned person is. “me” is the
 * person. Of a change, a few letters pick nobody without a question.
 */
export async function resolveUser(
  typed: string,
  finder: UserFinder,
  accepts: (user: User) => NameAccess,
): Promise<ResolvedValue<User>> {
  const mention = parseMention(typed);
  if (mention && mention.kind !== 'person') return invalid(say`${mentionsInWords(typed)} isn’t a person. Name a user.`);
  if (mention === undefined)
    return (await isOneself(typed, finder)) ? ownUser(finder, accepts) : userNamed(typed, finder, accepts);
  const { identity, platform, call } = finder;
  const { user } = await identity.actorOf(mention.id, { fresh: false, call });
  if (user && accepts(user)) return valueOf(user);
  return invalid(
    mention.name === undefined
      ? say`This person isn’t a user of the quiz account that you can see. The bot finds people by their ${platform.name} e-mail address.`
      : say`${named(`@${mention.name}`)} isn’t a user of the quiz account that you can see. The bot finds people by their ${platform.name} e-mail address.`,
  );
}

function ownUser({ actor: { user } }: UserFinder, accepts: (user: User) => NameAccess): ResolvedValue<User> {
  if (user === undefined) return invalid(say`You have no user in the quiz account.`);
  return accepts(user) ? valueOf(user) : invalid(say`You can’t choose yourself here.`);
}

async function userNamed(
  typed: string,
  { directory, visibility, isChange, call }: UserFinder,
  accepts: (user: User) => NameAccess,
): Promise<ResolvedValue<User>> {
  const names = await directory.users.names(call);
  const text = typed.replace(/^@(?=\S)/, '');
  const match = names.match(text, { accepts });
  const candidate = (user: User) => userCandidate(user, visibility);
  if (
    match.kind !== 'one' ||
    !isChange ||
    match.item === names.byId(text.trim()) ||
    saysName(text, match.item, accepts)
  )
    return fromMatch(typed, 'user', match, { candidate, traits: (user) => userTraits(user, visibility) });
  return unclear(typed, 'user', [candidate(match.item)]);
}

function userCandidate(user: User, visibility: Visibility): Candidate {
  return { value: user.user_id, label: nameFor(user, visibility) };
}

/** What tells users of the same name apart, as far as the person may read it. */
function userTraits(user: User, { user: maySee }: Visibility): string[] {
  const own = maySee(user) ? [user.user_name] : [];
  return [typeInWords(user.user_type), listed(user.groups.map(({ group_name }) => group_name)), ...own];
}

/** In letters. */
const shortestWord = 3;

/** Whether each typed word is a word of the user’s names, or begins one with a few letters. */
function saysName(typed: string, user: User, accepts: (user: User) => NameAccess): boolean {
  const own = accepts(user) === true ? [user.user_name, user.email_address] : [];
  const words = [publicName(user), `${user.first_name} ${user.last_name}`, ...own].flatMap((name) => {
    const plain = plainName(name);
    return [plain, ...plain.split(' '), ...plain.split(/[^\p{L}\p{N}\p{M}]+/u)];
  });
  return plainName(typed)
    .split(/[ ,]+/)
    .every((typedWord) =>
      words.some((word) => word === typedWord || (typedWord.length >= shortestWord && word.startsWith(typedWord))),
    );
}

/** The facts of a user by which they can be reached. */
export const addressFacts: readonly string[] = ['User name', 'E-mail address'];

export function userTarget(user: User): Target {
  const flags = flagsOf(user);
  return {
    kind: 'user',
    id: user.user_id,
    name: publicName(user),
    facts: {
      Name: publicName(user),
      'User name': user.user_name,
      'E-mail address': user.email_address,
      Type: user.user_type,
      Rights: flags.map((flag) => flag.replace('_', ' ')).join(', ') || 'none',
      Suspended: user.suspended ? 'yes' : 'no',
    },
  };
}
