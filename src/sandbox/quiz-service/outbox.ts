import type { Database } from './database.ts';
import { formatDate } from './dates.ts';
import { addMail, keptMails, listMails, type Mail, type WelcomeMail } from './store/mails.ts';

/**
 * Where welcome e-mails go instead of the post. A password is held in memory only, until the owner
 * looked at it once or the service stops; the database never has it.
 */
export interface Outbox {
  send: (mail: WelcomeMail) => void;
  /** Newest first. */
  list: () => (Mail & { hasPassword: boolean })[];
  /** @returns undefined when it was taken before */
  takePassword: (mailId: string) => string | undefined;
}

export function openOutbox(database: Database, now: () => number, newId: () => string): Outbox {
  const passwords = new Map<string, string>();
  return {
    send({ recipient, userName, firstName, password }) {
      const mailId = newId();
      addMail(database, {
        mail_id: mailId,
        date_sent: formatDate(now()),
        recipient,
        subject: 'Welcome to your quiz account',
        text: `Hello ${firstName || userName}, an account was made for you. Your login name is ${userName}.`,
      });
      passwords.set(mailId, password);
      const [oldest] = passwords.keys();
      if (oldest !== undefined && passwords.size > keptMails) passwords.delete(oldest);
    },
    list: () => listMails(database).map((mail) => ({ ...mail, hasPassword: passwords.has(mail.mail_id) })),
    takePassword(mailId) {
      const password = passwords.get(mailId);
      passwords.delete(mailId);
      return password;
    },
  };
}
