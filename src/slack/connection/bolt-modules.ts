import appModule from '@slack/bolt/dist/App.js';
import { ReceiverMultipleAckError } from '@slack/bolt/dist/errors.js';
import socketModeReceiverModule from '@slack/bolt/dist/receivers/SocketModeReceiver.js';
import { verifySlackRequest } from '@slack/bolt/dist/receivers/verify-request.js';

/*
 * What the bot uses of Bolt, from the modules that have it. `@slack/bolt` would load Express and a receiver for Lambda as well:
 * 116 modules more, for which a start takes 25 ms and 4 MB. Of it, the bot imports only types.
 */

export const App = appModule.default;
export const SocketModeReceiver = socketModeReceiverModule.default;
export { ReceiverMultipleAckError, verifySlackRequest };
