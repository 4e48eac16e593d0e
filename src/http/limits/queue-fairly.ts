import type { Request, RequestHandler } from 'express';
import { clientNetworkOf } from '../client-network.js';

/** Of one network in one turn of the event loop. More than the connections that a browser opens. */
const MAX_PER_TURN = 8;

interface Turn {
  begun: number;
  /** They begin in later turns. */
  waiting: (() => void)[];
}

/**
 * Middleware: begins a few requests of each network in one turn of the event loop, in the order in which they came. A
 * burst from one network then delays that network: between two turns the process reads what others have sent.
 */
export function queueFairly(): RequestHandler {
  const turns = new Map<string, Turn>();
  /** In this turn, before networks are distinguished: reading an address takes time, and few requests come at once. */
  let first = 0;
  const beginNext = () => {
    first = 0;
    for (const [network, turn] of turns) {
      const begins = turn.waiting.splice(0, MAX_PER_TURN);
      turn.begun = begins.length;
      if (begins.length === 0) turns.delete(network);
      for (const begin of begins) begin();
    }
    if (turns.size > 0) setImmediate(beginNext);
  };
  const turnOf = (request: Request): Turn => {
    const network = clientNetworkOf(request);
    const known = turns.get(network);
    if (known) return known;
    const turn: Turn = { begun: 0, waiting: [] };
    turns.set(network, turn);
    return turn;
  };
  return (request, _response, next) => {
    if (turns.size === 0 && first < MAX_PER_TURN) {
      if (first === 0) setImmediate(beginNext);
      first++;
      return next();
    }
    const turn = turnOf(request);
    if (turn.begun < MAX_PER_TURN) {
      turn.begun++;
      return next();
    }
    turn.waiting.push(() => {
      if (!request.socket.destroyed) next();
    });
  };
}
