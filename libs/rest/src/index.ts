export { documentRoutes } from './document-routes.js';
export { openApiDocument } from './openapi/openapi-document.js';
export {
  describeCatalogue,
  describeTool,
  type CatalogueDescription,
  type OperationDescription,
  type ToolDescription,
} from './reference/describe-catalogue.js';
export { restRoutes, type RestOptions } from './routes/rest-routes.js';
