{{- /* Settings of the process; each is in the table of docs/reference.md. */ -}}
{{- define "ip-masq-agent.env" -}}
{{- $listens := include "ip-masq-agent.listens" . -}}
- name: IP_MASQ_NODE_NAME
  valueFrom:
    fieldRef:
      fieldPath: spec.nodeName
- name: IP_MASQ_PROFILE
  value: {{ if include "ip-masq-agent.profileMounted" . }}/etc/ip-masq-agent-profile/profile{{ else }}cce{{ end }}
- name: IP_MASQ_BACKEND
  value: {{ .Values.agent.backend }}
- name: IP_MASQ_SOURCE
  value: {{ .Values.agent.source }}
- name: IP_MASQ_LOG_FORMAT
  value: {{ .Values.agent.logFormat }}
- name: IP_MASQ_HOST
  {{- if eq $listens "node" }}
  valueFrom:
    fieldRef:
      fieldPath: status.hostIP
  {{- else if eq $listens "all" }}
  # Java takes IPv6 too then, where the node has it
  value: 0.0.0.0
  {{- else }}
  value: 127.0.0.1
  {{- end }}
- name: IP_MASQ_PORT
  value: {{ int .Values.metrics.port | quote }}
{{- end }}

{{- /* Without a host, the kubelet asks the pod's address, which is the node's here. */ -}}
{{- define "ip-masq-agent.probe" -}}
{{- $root := first . -}}
httpGet:
  {{- if ne (include "ip-masq-agent.listens" $root) "node" }}
  host: 127.0.0.1
  {{- end }}
  path: /q/health/{{ last . }}
  port: {{ int $root.Values.metrics.port }}
{{- end }}
