import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { shareDocuments } from './serve-document.js';

describe('shareDocuments', () => {
  it('a document is made once for strangers and for each request of a person, and an error is not kept', async () => {
    let made = 0;
    const app = express();
    app.use((request, response, next) => {
      response.locals.isShared = request.get('cookie') === undefined;
      next();
    });
    app.use(shareDocuments(({ locals }) => locals.isShared === true));
    app.get('/openapi.yaml', (_, response) => {
      made += 1;
      response
        .status(made === 1 ? 503 : 200)
        .type('text/yaml')
        .send(`made: ${made}`);
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const get = async (path: string, headers = {}) => (await fetch(url + path, { headers })).text();
    expect(await get('/openapi.yaml')).toBe('made: 1');
    expect(await get('/openapi.yaml')).toBe('made: 2');
    expect(await get('/OpenAPI.yaml/')).toBe('made: 2');
    expect(await get('/openapi.yaml', { cookie: 'session=a' })).toBe('made: 3');
    expect(await get('/openapi.yaml')).toBe('made: 2');
    server.close();
  });
});
