import "./migrations.test.ts";
