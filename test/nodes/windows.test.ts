import "./windows/restartKubelet.part";
