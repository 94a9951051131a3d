import { messagePage } from '../pages/message-page.js';
import type { Page } from '../pages/layout.js';

/** What is said to a person whose program sent a request that has no answer and no safe way back. */
export function errorPage(code: string): Page {
  switch (code) {
    case 'invalid_client':
      return messagePage(
        'This program is not registered here',
        'The installation does not know it, or could not read the document that it is known by.',
        'Let the program register again: remove the connection in it and add it anew.',
      );
    case 'invalid_redirect_uri':
      return messagePage(
        'The way back is not the registered one',
        'The program wants its answer at an address that it did not register, so it gets none.',
        'Let the program register again. If you did not start this yourself, close this page.',
      );
    case 'session_not_found':
      return messagePage(
        'This request is not open any more',
        'It was answered already, took too long, or was begun in another browser.',
        'Start again from the program that wants to connect.',
      );
    case 'server_error':
    case 'temporarily_unavailable':
      return messagePage(
        'Something went wrong on our side',
        'The request was not answered, and nothing was granted.',
        'Try again. If it stays, tell the operator of the installation.',
      );
    default:
      return messagePage(
        'This request cannot be answered',
        `What the program sent is not a valid request for authorization (${code}).`,
        'Start again from the program. If it stays, the program has a fault.',
      );
  }
}
