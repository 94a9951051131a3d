import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { PATHS, type Addresses } from '../addresses.js';
import { openToPages } from '../open-to-pages.js';
import { authorizeQuery } from '../provider/authorize-query.js';
import { resourceTest } from '../provider/create-provider.js';
import type { Provider } from '../provider/load-provider.js';

/** The endpoints of OAuth 2.1, each answered by the library. Nothing else of it can be reached. */
export function oauthRoutes(
  provider: Provider,
  addresses: Addresses,
  asPublic: RequestHandler,
  sweepNowAndThen: () => void,
): Router {
  const routes = express.Router();
  const handle = provider.callback();
  const library = (request: Request, response: Response) => {
    sweepNowAndThen();
    return handle(request, response);
  };
  routes.get(PATHS.authorize, ownSpelling(addresses), asPublic, library);
  routes.get(`${PATHS.authorize}/:uid`, asPublic, library);
  for (const path of [PATHS.token, PATHS.register, PATHS.revoke])
    routes.all(path, openToPages('POST'), asPublic, library);
  return routes;
}

const ownSpelling = (addresses: Addresses): RequestHandler => {
  const isResource = resourceTest(addresses);
  return (request, _response, next) => {
    const [path = '', query = ''] = request.url.split('?', 2);
    request.url = `${path}?${authorizeQuery(query, isResource)}`;
    next();
  };
};
