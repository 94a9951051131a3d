export { documentRoutes } from './document-routes.js';
export { openApiDocument } from './openapi/openapi-document.js';
export {
  describeCatalogue,
  type CatalogueDescription,
  type OperationDescription,
} from './reference/describe-catalogue.js';
export { restRoutes, type RestOptions } from './routes/rest-routes.js';
