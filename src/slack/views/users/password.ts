import { textMessage, type Message, context, section, plain } from '../blocks/message.ts';
import { shortName, countOf, say, asSaid, mention } from '../../../domain/said.ts';
import type { Button, KnownBlock, ModalView, RichTextBlock } from '@slack/types';
import type { BatchProgress } from '../../../domain/batch.ts';
import type { PasswordOffer } from '../../../domain/approval-request.ts';
import type { PasswordList } from '../../../governance/passwords/password-list.ts';
import type { ShownPassword } from '../../../governance/passwords/grants.ts';

/** The action ID of **Show password**. The button's value is the user's ID and nothing else. */
export const showPasswordActionId = 'show-password';

type Offered = Pick<PasswordOffer, 'userId' | 'name'>;

/** Explains **Show password**, with the button. */
export function passwordOfferBlocks({ userId, name }: Offered): KnownBlock[] {
  return [
    section(
      say`🔑 Press *Show password* to set a new password for *${shortName(name)}*. Only you can see it, and any earlier one stops working.`,
    ),
    passwordButton(userId),
  ];
}

/** The direct message with **Show password**. */
export function passwordOfferMessage(offer: Offered): Message {
  return { text: say`🔑 Set a password for ${shortName(offer.name)}`, blocks: passwordOfferBlocks(offer) };
}

/** Offers a person the password of the user that was created for them. */
export function ownPasswordMessage({ userId, by }: { userId: string; by: string }): Message {
  const text = say`🔑 ${mention(by)} created a user for you in the quiz account. Press *Show password* to set your password and see it. Only you can.`;
  return { text, blocks: [section(text), passwordButton(userId)] };
}

/** Says why no password was shown, with the button to try again. */
export function passwordSorryMessage(userId: string, sentence: string): Message {
  const sorry = textMessage('⚠️', sentence);
  return { text: sorry.text, blocks: [...sorry.blocks, passwordButton(userId)] };
}

/** Shown until the quiz service has the new password. */
export function passwordWaitingView(): ModalView {
  return modal(textMessage('⏳', say`Setting a new password…`).blocks);
}

/** The one place where a password is shown, or why there is none. */
export function passwordView(shown: ShownPassword): ModalView {
  if (shown.kind === 'refused') return modal(textMessage('🚫', shown.message).blocks);
  if (shown.kind !== 'shown') return modal(textMessage('⚠️', shown.message).blocks);
  const { name, userName, password, isOnce } = shown;
  return modal([
    section(say`*${shortName(name)}* signs in as \`${shortName(userName)}\` with this password:`),
    section(say`\`${password}\``),
    context(
      isOnce
        ? say`For ten minutes, *Show password* shows it again. Give it to nobody else. Another one needs another approval.`
        : say`You can’t see it again after you close this. Give it to nobody else. To set another one, press *Show password* in our direct messages.`,
    ),
  ]);
}

const listTitle = say`New passwords`;
/** The action ID of **Passwords to print**, also in the list for the next users. */
export const printPasswordsActionId = 'print-passwords';
/** The action ID of **Printed**. */
export const passwordsPrintedActionId = 'passwords-printed';

/** Whose passwords are listed: the users of an import whose rows come after `after`. */
interface PrintedPasswords {
  batch: string;
  after: number;
  /** The list is not needed again. */
  isPrinted?: true;
}

/** With a button that prints passwords, for new users whom no message reached. The service mails a password only with the creation of a user. */
export function withPasswordsToPrint(
  message: Message,
  { batch: { id, endedAt }, withoutPassword = 0, passwordsShown = 0 }: BatchProgress,
): Message {
  if (endedAt === null || withoutPassword + passwordsShown === 0) return message;
  const print = printPasswordsButton(say`Passwords to print…`, { batch: id, after: -1 });
  const blocks = message.blocks.map((block) =>
    block.type === 'actions' ? { ...block, elements: [...block.elements, print] } : block,
  );
  return { ...message, blocks };
}

function printPasswordsButton(text: string, printed: PrintedPasswords, actionId = printPasswordsActionId): Button {
  return {
    type: 'button',
    action_id: actionId,
    text: plain(asSaid(text)),
    value: JSON.stringify(printed),
  };
}

/** Passwords of several users, for the person who imported them to print. They are shown nowhere else. */
export function passwordListView(batch: string, list: PasswordList): ModalView {
  if (list.kind === 'printed')
    return modal(textMessage('✅', say`The bot no longer has these passwords.`).blocks, listTitle);
  if (list.kind !== 'list')
    return modal(textMessage(list.kind === 'refused' ? '🚫' : '⚠️', list.message).blocks, listTitle);
  const { shown, last, left, problem } = list;
  return modal(
    [
      section(
        shown.length > 0
          ? say`🔑 User names and new passwords, to copy or print:`
          : say`ℹ️ Nobody is left who has no password yet.`,
      ),
      ...(shown.length > 0 ? [preformatted(shown)] : []),
      ...(problem === undefined ? [] : textMessage('⚠️', problem).blocks),
      ...(shown.length > 0
        ? [
            context(
              say`For an hour, *Passwords to print…* shows this list again. Give each password to its person alone.`,
            ),
          ]
        : []),
      ...(left > 0 || shown.length > 0
        ? [
            {
              type: 'actions' as const,
              elements: [
                ...(left > 0
                  ? [printPasswordsButton(say`Next: ${countOf(left, 'person', 'people')} left`, { batch, after: last })]
                  : []),
                ...(shown.length > 0
                  ? [
                      printPasswordsButton(
                        say`Printed`,
                        { batch, after: last, isPrinted: true },
                        passwordsPrintedActionId,
                      ),
                    ]
                  : []),
              ],
            },
          ]
        : []),
    ],
    listTitle,
  );
}

/** A user name and a password in each line, as they are typed: copied as a whole. */
function preformatted(shown: readonly { userName: string; password: string }[]): RichTextBlock {
  const text = shown.map(({ userName, password }) => `${userName} ${password}`).join('\n');
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }],
  };
}

function passwordButton(userId: string): KnownBlock {
  return {
    type: 'actions',
    elements: [{ type: 'button', action_id: showPasswordActionId, text: plain(say`Show password`), value: userId }],
  };
}

function modal(blocks: KnownBlock[], title = say`New password`): ModalView {
  return { type: 'modal', title: plain(asSaid(title)), close: plain(say`Close`), blocks };
}
